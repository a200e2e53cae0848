import { ERRORS, isApiFailure } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { NodeRow } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import { ResidentStays, type Adding } from './upload-add-service.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import { stagingIdOf, UNFINISHED, type KeptContent, type UploadRow } from './upload.ts';

export interface Publishing {
  /**
   * Publishes a file: upload, bytes, node, quota and task in one transaction. The upload is being completed with
   * these bytes, or is open. Returns false if it was ended elsewhere first; the bytes are released then. Rejects with
   * the errors of names and folders, which end the upload; faults leave it to be retried.
   */
  appear(upload: UploadRow, kept: KeptContent): Promise<boolean>;
}

export interface PublishingDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly partStore: UploadPartStore;
  readonly storage: BlobStore;
  readonly aborting: Aborting;
  readonly adding: Adding;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly clock: Clock;
}

export function createPublishing(deps: PublishingDeps): Publishing {
  const { database, store, partStore, storage, aborting, adding, quota, tasks, clock } = deps;
  const { letGo } = aborting;

  /** Deletes the bytes of a lost race, but never those that a row refers to. */
  async function removeUnlessCurrent(id: string, storeKey: string): Promise<void> {
    const now = await store.find(database, id);
    const isCurrent = now?.storeKey === storeKey && ['done', ...UNFINISHED].includes(now.state);
    if (!isCurrent) await storage.remove(storeKey);
  }

  /** Returns false if the upload had ended already. */
  async function close(tx: Tx, { id, state }: UploadRow, kept: KeptContent): Promise<boolean> {
    const { storeKey, hash } = kept;
    const end = { storeKey, hash, now: clock.now() };
    const isOpen = state === 'open';
    if (await (isOpen ? store.completeOpen(tx, id, end) : store.complete(tx, id, end))) {
      const hadParts = await partStore.clear(tx, id);
      if (isOpen && hadParts) tx.afterCommit(() => letGo(storage.discard(stagingIdOf(id))));
      return true;
    }
    tx.afterCommit(() => letGo(removeUnlessCurrent(id, storeKey)));
    return false;
  }

  async function addFile(upload: UploadRow, kept: KeptContent): Promise<boolean> {
    return database.transaction(async (tx) => {
      if (!(await close(tx, upload, kept))) return false;
      const { id: fileId, name: fileName } = await adding.add(tx, upload, kept, upload.reserved);
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_COMPLETE', fileId, fileName });
      return true;
    });
  }

  /** Completes the upload and discards its content, since the existing file stays. */
  async function leaveResident(upload: UploadRow, kept: KeptContent, resident: NodeRow): Promise<boolean> {
    return database.transaction(async (tx) => {
      if (!(await close(tx, upload, kept))) return false;
      await quota.release(tx, upload.account, upload.reserved);
      const { id: fileId, name: fileName } = resident;
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_COMPLETE', fileId, fileName });
      tx.afterCommit(() => letGo(storage.remove(kept.storeKey)));
      return true;
    });
  }

  async function addFileOrNot(upload: UploadRow, kept: KeptContent): Promise<boolean> {
    try {
      return await addFile(upload, kept);
    } catch (error) {
      if (!(error instanceof ResidentStays)) throw error;
      return leaveResident(upload, kept, error.resident);
    }
  }

  return {
    async appear(upload, kept) {
      try {
        return await addFileOrNot(upload, kept);
      } catch (error) {
        if (!isApiFailure(error) || ERRORS[error.id].status >= 500) throw error;
        // Bytes of a claim are in the upload's row, which is released with them.
        if (upload.state === 'open') letGo(storage.remove(kept.storeKey));
        await aborting.giveUp(upload.id, { state: 'failed', failure: error.id });
        throw error;
      }
    },
  };
}
