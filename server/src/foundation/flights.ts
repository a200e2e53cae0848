/**
 * Does something under a key once at a time: whoever asks while it is under way waits for it, and has the same outcome
 * where that may be shared. Otherwise everybody who waited does it for themselves.
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
