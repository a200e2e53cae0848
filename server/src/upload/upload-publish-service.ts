import type { Checksums, Content } from '@bowerbird/ingest';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs, Events, NodeRow, Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import { UNFINISHED, type UploadRow } from './upload.ts';

/** Kept bytes with their hashes. */
export interface KeptContent extends Content {
  readonly cid: string;
  readonly storeKey: string;
  readonly checksums?: Checksums | undefined;
}

export interface Publishing {
  /**
   * Publishes a file: upload, bytes, node, quota and task in one transaction. Returns false if the upload was
   * ended elsewhere first; the bytes are released then. Rejects with the errors of names and folders.
   */
  appear(upload: UploadRow, kept: KeptContent): Promise<boolean>;
}

export interface PublishingDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly partStore: UploadPartStore;
  readonly storage: BlobStore;
  readonly aborting: Aborting;
  readonly quota: Quota;
  readonly tasks: Tasks;
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly events: Events;
  readonly clock: Clock;
}

/** The name is taken by a file that stays: the changes for the new file are rolled back. */
class ResidentStays extends Error {
  readonly resident: NodeRow;

  constructor(resident: NodeRow) {
    super('The file that is there stays');
    this.resident = resident;
  }
}

export function createPublishing(deps: PublishingDeps): Publishing {
  const { database, store, partStore, storage, aborting, quota, tasks, nodes, blobs, events, clock } = deps;
  const { letGo } = aborting;

  /** Deletes the bytes of a lost race, but never those that a row refers to. */
  async function removeUnlessCurrent(id: string, storeKey: string): Promise<void> {
    const now = await store.find(database, id);
    const isCurrent = now?.storeKey === storeKey && ['done', ...UNFINISHED].includes(now.state);
    if (!isCurrent) await storage.remove(storeKey);
  }

  /** Returns false if the upload had ended already. */
  async function close(tx: Tx, { id }: UploadRow, kept: KeptContent): Promise<boolean> {
    const { storeKey, hash } = kept;
    if (await store.complete(tx, id, { storeKey, hash, now: clock.now() })) {
      await partStore.clear(tx, id);
      return true;
    }
    tx.afterCommit(() => letGo(removeUnlessCurrent(id, storeKey)));
    return false;
  }

  async function addFile(upload: UploadRow, kept: KeptContent): Promise<boolean> {
    const { id, account, parent, name, size, conflict, modifiedAt } = upload;
    const { hash, gcid, cid, storeKey, checksums } = kept;
    return database.transaction(async (tx) => {
      if (!(await close(tx, upload, kept))) return false;
      const { row: blob } = await blobs.ensure(tx, { hash, size, gcid, cid, storeKey, checksums });
      const file = { id, account, parent, name, blob: blob.hash, size, conflict, modifiedAt };
      const node = await nodes.addFile(tx, file);
      if (node.id !== id) throw new ResidentStays(node);
      await quota.charge(tx, account, size, { reason: 'upload', reference: id, fromReserved: size });
      await events.came(tx, account, 'TYPE_UPLOAD', [node.id]);
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_COMPLETE', fileName: node.name });
      if (blob.store_key !== storeKey) tx.afterCommit(() => letGo(storage.remove(storeKey)));
      return true;
    });
  }

  /** Completes the upload and discards its content, since the existing file stays. */
  async function leaveResident(upload: UploadRow, kept: KeptContent, resident: NodeRow): Promise<boolean> {
    return database.transaction(async (tx) => {
      if (!(await close(tx, upload, kept))) return false;
      await quota.release(tx, upload.account, upload.size);
      const { id: fileId, name: fileName } = resident;
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_COMPLETE', fileId, fileName });
      tx.afterCommit(() => letGo(storage.remove(kept.storeKey)));
      return true;
    });
  }

  return {
    async appear(upload, kept) {
      try {
        return await addFile(upload, kept);
      } catch (error) {
        if (!(error instanceof ResidentStays)) throw error;
        return leaveResident(upload, kept, error.resident);
      }
    },
  };
}
