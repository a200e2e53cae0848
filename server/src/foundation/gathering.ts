/**
 * What is gathered in memory and written every few seconds, so that it costs a request nothing. What a killed process had
 * gathered is lost: for counts that can bear it.
 */
export interface Gathering<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  /** Writes at once what is there. */
  flush(): Promise<void>;
}

interface GatheringOptions<V> {
  readonly everyMs: number;
  /** Gets the entries in the order of their keys: one for all processes, so that none waits for another in a ring. */
  readonly write: (gathered: ReadonlyMap<string, V>) => Promise<void>;
  /** Told where nobody waits for the writing. */
  readonly failed: (error: unknown) => void;
}

export function createGathering<V>({ everyMs, write, failed }: GatheringOptions<V>): Gathering<V> {
  let gathered = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...gathered].toSorted(([one], [other]) => (one < other ? -1 : 1));
    gathered = new Map();
    if (entries.length > 0) await write(new Map(entries));
  }

  return {
    get size() {
      return gathered.size;
    },
    get: (key) => gathered.get(key),
    set(key, value) {
      gathered.set(key, value);
      timer ??= setTimeout(() => void flush().catch(failed), everyMs).unref();
    },
    flush,
  };
}
