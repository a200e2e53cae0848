import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { databaseTrouble, DatabaseUnavailable } from './database-trouble.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

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
      const isTemporary =
        databaseTrouble(error) && !(error instanceof DatabaseUnavailable && error.isRefusal);
      if (!isTemporary || signal?.aborted || performance.now() + pause > givesUpAt) throw error;
      log.warn({ err: error, pause }, 'the database is unavailable; trying again');
    }
    await sleep(pause, undefined, { ...(signal && { signal }) });
  }
}
