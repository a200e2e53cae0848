import { databaseTrouble } from './database/index.ts';

/**
 * What is gathered in memory and written every few seconds, so that it costs a request nothing. While the database is away
 * it goes on being gathered. What a killed process had gathered is lost: for counts that can bear it.
 */
export interface Gathering<V> {
  /** Keys that something was gathered for since it was last written. */
  readonly size: number;
  get(key: string): V | undefined;
  /** Adds to what was gathered for the key. Does nothing where there are more keys already than memory is for. */
  add(key: string, value: V): void;
  /** Writes at once what is there. */
  flush(): Promise<void>;
}

interface GatheringOptions<V> {
  readonly everyMs: number;
  readonly sum: (one: V, other: V) => V;
  /** Gets the entries in the order of their keys: one for all processes, so that none waits for another in a ring. */
  readonly write: (gathered: ReadonlyMap<string, V>) => Promise<void>;
  /** Told where nobody waits for the writing. */
  readonly failed: (error: unknown) => void;
  readonly mostKeys?: number;
}

const MOST_KEYS = 100_000;

export function createGathering<V>({
  everyMs,
  sum,
  write,
  failed,
  mostKeys = MOST_KEYS,
}: GatheringOptions<V>): Gathering<V> {
  let gathered = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;

  function add(key: string, value: V): void {
    const known = gathered.get(key);
    if (known === undefined && gathered.size >= mostKeys) return;
    gathered.set(key, known === undefined ? value : sum(known, value));
    timer ??= setTimeout(() => void flush().catch(failed), everyMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...gathered].toSorted(([one], [other]) => (one < other ? -1 : 1));
    gathered = new Map();
    if (entries.length === 0) return;
    try {
      await write(new Map(entries));
    } catch (error) {
      // What the database refuses for any other reason it would refuse the next time, too.
      if (databaseTrouble(error)) for (const [key, value] of entries) add(key, value);
      throw error;
    }
  }

  return {
    get size() {
      return gathered.size;
    },
    get: (key) => gathered.get(key),
    add,
    flush,
  };
}
