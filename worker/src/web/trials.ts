import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './patience.ts';
import { Setback } from './setback.ts';

/** Counts how often something went wrong without anything going right in between. */
export interface Trials {
  /** Something went right. */
  succeed(): void;
  /** Waits before the next try. Throws what isn't a setback, and what to say of a setback when it was the last. */
  after(error: unknown): Promise<void>;
}

export function createTrials({ tries, pauseMs, longestPauseMs }: Patience, signal: AbortSignal): Trials {
  let setbacks = 0;
  return {
    succeed() {
      setbacks = 0;
    },
    async after(error) {
      signal.throwIfAborted();
      if (!(error instanceof Setback)) throw error;
      const pause = Math.max(pauseMs * 2 ** setbacks, error.pauseMs ?? 0);
      setbacks += 1;
      if (setbacks >= tries || pause > longestPauseMs) throw error.failure;
      await sleep(pause, undefined, { signal });
    },
  };
}
