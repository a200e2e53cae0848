import type { ErrorId } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import { stagingIdOf, type UploadRow } from './upload.ts';

export interface End {
  readonly state: 'failed' | 'cancelled' | 'expired';
  readonly failure: ErrorId;
  /** Ends the upload only if no bytes arrived since then. */
  readonly idleSince?: number;
}

export interface Aborting {
  /** Aborts an upload, and releases its bytes and quota. Returns false if it had ended already. */
  giveUp(upload: string, end: End): Promise<boolean>;
  /** Does the same as {@link giveUp} within the caller's transaction, leaving the task to the caller. */
  giveUpIn(tx: Tx, upload: string, end: End): Promise<boolean>;
  /** Aborts the account's open uploads and deletes all its upload rows. Returns the number of uploads removed. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
  /** Deletes unneeded bytes after the response; if that fails, the sweep collects them later. */
  letGo(...work: readonly Promise<void>[]): void;
}

export interface AbortingDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly partStore: UploadPartStore;
  readonly storage: BlobStore;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly clock: Clock;
  readonly log: Log;
}

const ERASED_AT_ONCE = 100;

export function createAborting({
  database,
  store,
  partStore,
  storage,
  quota,
  tasks,
  clock,
  log,
}: AbortingDeps): Aborting {
  const letGo: Aborting['letGo'] = (...work) => {
    for (const each of work) {
      each.catch((error: unknown) => log.warn({ err: error }, 'could not delete upload data, will retry'));
    }
  };

  async function end(tx: Tx, id: string, { state, failure, idleSince }: End): Promise<UploadRow | undefined> {
    const upload = await store.find(tx, id);
    const since = idleSince === undefined ? {} : { idleSince };
    if (!upload || !(await store.giveUp(tx, id, { state, failure, now: clock.now(), ...since }))) {
      return undefined;
    }
    await partStore.clear(tx, id);
    await quota.release(tx, upload.account, upload.reserved);
    tx.afterCommit(() => {
      letGo(storage.discard(stagingIdOf(id)));
      if (upload.storeKey) letGo(storage.remove(upload.storeKey));
    });
    return upload;
  }

  const aborting: Aborting = {
    letGo,
    giveUpIn: async (tx, id, how) => (await end(tx, id, how)) !== undefined,
    giveUp: (id, how) =>
      database.transaction(async (tx) => {
        const upload = await end(tx, id, how);
        if (upload) await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_ERROR', error: how.failure });
        return upload !== undefined;
      }),

    async eraseAccount(account, signal) {
      for (let removed = 0; ;) {
        const some = await store.ofAccount(database, account, ERASED_AT_ONCE);
        if (some.length === 0) return removed;
        for (const { id } of some) {
          signal.throwIfAborted();
          await aborting.giveUp(id, { state: 'cancelled', failure: 'cancelled' });
          await database.transaction((tx) => store.forget(tx, id));
        }
        removed += some.length;
      }
    },
  };
  return aborting;
}
