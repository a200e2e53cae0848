import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { databaseTrouble, DatabaseUnavailable } from './database-trouble.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

const advice = {
  full: 'disk of the database is full: free some space; retrying',
  busy: 'database is unavailable, retrying',
} as const;

export interface Patience {
  readonly log: Log;
  /** Maximum time to retry; without it, retries until it works. */
  readonly forMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Retries `work` until the database responds. Meant for work that no client on the network could retry: startup,
 * messages of another process. `work` must be safe to repeat, even after a commit whose response was lost.
 */
export async function awaitDatabase<R>(
  work: () => Promise<R>,
  { log, forMs = Infinity, signal }: Patience,
): Promise<R> {
  const givesUpAt = performance.now() + forMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const trouble = databaseTrouble(error);
      const isTemporary = trouble && !(error instanceof DatabaseUnavailable && error.isRefusal);
      if (!isTemporary || signal?.aborted || performance.now() + pause > givesUpAt) throw error;
      log.warn({ reason: (error as Error).message, pause }, advice[trouble]);
    }
    await sleep(pause, undefined, { ...(signal && { signal }) });
  }
}
