import { ApiFailure } from '@bowerbird/contract';

/** Semaphore with a bounded queue; waiters acquire it in order of arrival. */
export interface Semaphore {
  /** Waits for a permit. Rejects with `unavailable` if too many wait already. Each permit must be released. */
  acquire(): Promise<void>;
  release(): void;
  /** Acquires a permit, runs the work, and releases the permit. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createSemaphore({
  atOnce,
  mostWaiting = Infinity,
}: {
  atOnce: number;
  mostWaiting?: number;
}): Semaphore {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const semaphore: Semaphore = {
    async acquire() {
      if (taken < atOnce) {
        taken += 1;
        return;
      }
      if (waiting.length >= mostWaiting) throw new ApiFailure('unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
    async run(work) {
      await semaphore.acquire();
      try {
        return await work();
      } finally {
        semaphore.release();
      }
    },
  };
  return semaphore;
}
