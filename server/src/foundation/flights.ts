/**
 * Runs work under a key once at a time: callers that arrive while it runs wait for it and get the same result
 * if it may be shared. Otherwise each of them runs the work afterwards.
 */
export type Flights<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

export function createFlights<Result>(isShared: (result: Result) => boolean): Flights<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return async (key, work) => {
    const known = underWay.get(key);
    if (known) {
      const result = await known;
      return isShared(result) ? result : work();
    }
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
