import { aborted } from './aborted.ts';

/** Mutex per key: work with the same key runs one after the other. */
export interface KeyedMutex<T> {
  /** Returns the value that the current holder of the key passed to `runExclusive`. */
  current(key: string): T | undefined;
  /** Waits for the key, then runs the work. Rejects with the signal's reason if it is aborted first. */
  runExclusive<R>(key: string, value: T | undefined, signal: AbortSignal, work: () => Promise<R>): Promise<R>;
}

export function createKeyedMutex<T>(): KeyedMutex<T> {
  const present = new Map<string, { readonly value: T | undefined; readonly ended: Promise<void> }>();

  return {
    current: (key) => present.get(key)?.value,
    async runExclusive(key, value, signal, work) {
      for (let other = present.get(key); other; other = present.get(key)) {
        await Promise.race([other.ended, aborted(signal)]);
      }
      signal.throwIfAborted();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      present.set(key, { value, ended });
      try {
        return await work();
      } finally {
        present.delete(key);
        resolve();
      }
    },
  };
}
