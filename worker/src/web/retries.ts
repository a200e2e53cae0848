import { setTimeout as sleep } from 'node:timers/promises';
import type { Timeouts } from './timeouts.ts';
import { FetchFailed } from '../fetch/engine.ts';
import { TransientError } from './fetch-errors.ts';

/** Counts consecutive failures and delays retries. */
export interface Retries {
  /** Resets the count after progress. */
  succeed(): void;
  /**
   * Waits before the next attempt. Rethrows permanent errors, and the failure of a TransientError after the last
   * attempt.
   */
  after(error: unknown): Promise<void>;
}

export function createRetries({ tries, pauseMs, longestPauseMs }: Timeouts, signal: AbortSignal): Retries {
  let failures = 0;
  let lastSignature: string | undefined;
  return {
    succeed() {
      failures = 0;
    },
    async after(error) {
      signal.throwIfAborted();
      if (!(error instanceof TransientError)) throw error;
      if (error.signature !== undefined && error.signature === lastSignature) throw permanent(error.failure);
      lastSignature = error.signature;
      const pause = Math.max(pauseMs * 2 ** failures, error.pauseMs ?? 0);
      failures += 1;
      if (failures >= tries || pause > longestPauseMs) throw error.failure;
      await sleep(pause, undefined, { signal });
    },
  };
}

const permanent = ({ failure: { error, facts }, cause }: FetchFailed): FetchFailed =>
  new FetchFailed(error, { final: true, cause, ...(facts ? { facts: { ...facts } } : {}) });
