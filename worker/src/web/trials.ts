import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from './patience.ts';
import { FetchFailed } from '../fetch/engine.ts';
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
  let lastSign: string | undefined;
  return {
    succeed() {
      setbacks = 0;
    },
    async after(error) {
      signal.throwIfAborted();
      if (!(error instanceof Setback)) throw error;
      if (error.sign !== undefined && error.sign === lastSign) throw forGood(error.failure);
      lastSign = error.sign;
      const pause = Math.max(pauseMs * 2 ** setbacks, error.pauseMs ?? 0);
      setbacks += 1;
      if (setbacks >= tries || pause > longestPauseMs) throw error.failure;
      await sleep(pause, undefined, { signal });
    },
  };
}

const forGood = ({ failure: { error, facts }, cause }: FetchFailed): FetchFailed =>
  new FetchFailed(error, { final: true, cause, ...(facts ? { facts: { ...facts } } : {}) });
