/** A mutex per key, with a value that others may read while a holder has the key. */
export interface Turns<T> {
  /** Returns the value that the current holder of a key provides. */
  known(key: string): T | undefined;
  /** Runs `work` while holding the key. Rejects with the signal's reason if aborted while waiting for it. */
  alone<R>(key: string, known: T | undefined, signal: AbortSignal, work: () => Promise<R>): Promise<R>;
}

export function createTurns<T>(): Turns<T> {
  const present = new Map<string, { readonly known: T | undefined; readonly ended: Promise<void> }>();

  return {
    known: (key) => present.get(key)?.known,
    async alone(key, known, signal, work) {
      for (let other = present.get(key); other; other = present.get(key)) {
        await Promise.race([other.ended, aborted(signal)]);
      }
      signal.throwIfAborted();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      present.set(key, { known, ended });
      try {
        return await work();
      } finally {
        present.delete(key);
        resolve();
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
