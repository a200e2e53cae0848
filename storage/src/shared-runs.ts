/**
 * Lets parallel callers share runs of the same work. Each call is answered by a run that began after it, so whatever
 * the caller did before is included.
 */
export type SharedRuns<Result> = (name: string, work: () => Promise<Result>) => Promise<Result>;

interface Runs<Result> {
  current: Promise<Result>;
  next: Promise<Result> | undefined;
}

export function createSharedRuns<Result = void>(): SharedRuns<Result> {
  const all = new Map<string, Runs<Result>>();

  function begin(name: string, work: () => Promise<Result>): Promise<Result> {
    const runs: Runs<Result> = { current: work(), next: undefined };
    all.set(name, runs);
    const forget = (): void => {
      if (all.get(name) === runs && !runs.next) all.delete(name);
    };
    runs.current.then(forget, forget);
    return runs.current;
  }

  return (name, work) => {
    const runs = all.get(name);
    if (!runs) return begin(name, work);
    const after = (): Promise<Result> => begin(name, work);
    runs.next ??= runs.current.then(after, after);
    return runs.next;
  };
}
