import { databaseTrouble } from './database/index.ts';

/**
 * Write-behind buffer: values are summed per key in memory and written every few seconds, so that they cost a
 * request nothing. While the database is unavailable it keeps buffering. A killed process loses its buffer,
 * so use it only for counts where that is acceptable.
 */
export interface WriteBuffer<V> {
  /** Number of keys in the buffer. */
  readonly size: number;
  get(key: string): V | undefined;
  /** Adds to the value of the key. Drops the value of a new key if the buffer is full. */
  add(key: string, value: V): void;
  /** Writes the buffer now. */
  flush(): Promise<void>;
}

interface WriteBufferOptions<V> {
  readonly everyMs: number;
  readonly sum: (one: V, other: V) => V;
  /** Called with the entries sorted by key: the same order in all processes avoids deadlocks. */
  readonly write: (entries: ReadonlyMap<string, V>) => Promise<void>;
  /** Called with the error of a scheduled write, which nobody awaits. */
  readonly failed: (error: unknown) => void;
  readonly mostKeys?: number;
}

const MOST_KEYS = 100_000;

export function createWriteBuffer<V>({
  everyMs,
  sum,
  write,
  failed,
  mostKeys = MOST_KEYS,
}: WriteBufferOptions<V>): WriteBuffer<V> {
  let buffered = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;

  function add(key: string, value: V): void {
    const known = buffered.get(key);
    if (known === undefined && buffered.size >= mostKeys) return;
    buffered.set(key, known === undefined ? value : sum(known, value));
    timer ??= setTimeout(() => void flush().catch(failed), everyMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...buffered].toSorted(([one], [other]) => (one < other ? -1 : 1));
    buffered = new Map();
    if (entries.length === 0) return;
    try {
      await write(new Map(entries));
    } catch (error) {
      // Only outages are retried: entries rejected for any other reason would be rejected again.
      if (databaseTrouble(error)) for (const [key, value] of entries) add(key, value);
      throw error;
    }
  }

  return {
    get size() {
      return buffered.size;
    },
    get: (key) => buffered.get(key),
    add,
    flush,
  };
}
