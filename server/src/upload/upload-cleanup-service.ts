import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { UploadStore } from './upload-store.ts';
import type { Completions } from './upload-completion-service.ts';
import type { Receiving } from './upload-receive-service.ts';
import { CLAIM_IDLE_MS, uploadOfStaging } from './upload.ts';

export interface Cleanup {
  /** Completes uploads that a crashed process or a failed database left between their bytes and their row. */
  finish(signal: AbortSignal): Promise<void>;
  /** Ends uploads without activity for a day, and deletes those that ended a day ago. */
  expire(signal: AbortSignal): Promise<void>;
  /** Deletes staged bytes without an unfinished upload: remains of a killed process. */
  sweep(signal: AbortSignal): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const SLICE = 100;

export function createCleanup({
  database,
  store,
  storage,
  aborting,
  completions,
  receiving,
  clock,
  log,
}: {
  database: Database;
  store: UploadStore;
  storage: BlobStore;
  aborting: Aborting;
  completions: Pick<Completions, 'resume'>;
  receiving: Pick<Receiving, 'isReceiving'>;
  clock: Clock;
  log: Log;
}): Cleanup {
  return {
    async finish(signal) {
      const before = clock.now() - CLAIM_IDLE_MS;
      for (const id of await store.claimedBefore(database, before, SLICE)) {
        if (signal.aborted) return;
        await completions.resume(id).catch((error: unknown) => {
          // A refusal has ended the upload; any other error may not occur next time.
          log.warn({ err: error, upload: id }, 'could not complete interrupted upload, will retry');
        });
      }
    },

    async expire(signal) {
      const idleSince = clock.now() - LIMITS.uploadIdleSeconds * 1000;
      for (let more = true; more && !signal.aborted;) {
        const idle = await store.idleSince(database, idleSince, SLICE);
        const ended = await Promise.all(
          idle.map(({ id }) =>
            aborting.giveUp(id, { state: 'expired', failure: 'deadline_exceeded', idleSince }),
          ),
        );
        more = idle.length === SLICE && ended.includes(true);
      }
      for (let more = true; more && !signal.aborted;) {
        const old = await store.finishedBefore(database, clock.now() - DAY_MS, SLICE);
        for (const id of old) await database.transaction((tx) => store.forget(tx, id));
        more = old.length === SLICE;
      }
    },

    async sweep(signal) {
      for await (const { uploadId: area, modifiedAt } of storage.staged()) {
        if (signal.aborted) return;
        const upload = uploadOfStaging(area);
        if (upload === undefined || clock.now() - modifiedAt.getTime() < DAY_MS) continue;
        // The clock may have been set, or the machine suspended, since the body started.
        if (receiving.isReceiving(upload)) continue;
        const row = await store.find(database, upload);
        if (row?.state !== 'open' && row?.state !== 'completing') await storage.discard(area);
        await yieldToEventLoop();
      }
    },
  };
}
