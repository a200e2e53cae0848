/** Lets those who need the same thing to themselves have it one after the other. */
export interface Turns<T> {
  /** What is known of a thing that somebody has just now. */
  known(key: string): T | undefined;
  /** Waits for its turn; rejects with the signal's reason where that is aborted first. */
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
