import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { databaseTrouble, DatabaseUnavailable } from './database-trouble.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

const advice = {
  full: 'the disk of the database is full: free some space; trying again',
  busy: 'the database is unavailable; trying again',
} as const;

export interface Patience {
  readonly log: Log;
  /** How long to try; without it, until it works. */
  readonly forMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Does `work` again and again until the database answers. For what nobody asked over the network, who could ask once more: a
 * start, a message of another process. `work` must be safe to repeat, even after a commit whose answer was lost.
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
