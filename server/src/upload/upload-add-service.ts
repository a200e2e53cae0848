import type { BlobStore } from '@bowerbird/storage';
import type { Blobs, Conflict, Events, NodeRow, Nodes, Placements } from '../drive/index.ts';
import type { Tx } from '../foundation/database/index.ts';
import type { Quota } from '../membership/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { KeptContent } from './upload.ts';

export interface Arrival {
  readonly id: string;
  readonly account: string;
  readonly parent: string;
  readonly name: string;
  readonly conflict: Conflict;
  readonly modifiedAt: number | undefined;
}

/** Places uploaded files in the drive. */
export interface Adding {
  /**
   * Adds a file with its bytes, or replaces the content of the one to replace, and charges it; `fromReserved` of the bytes were reserved. Rejects with the errors of
   * names, folders and quota, or with {@link ResidentStays}; the changes have to be rolled back then.
   */
  add(tx: Tx, file: Arrival, kept: KeptContent, fromReserved: number): Promise<NodeRow>;
}

/** The name is taken by a file that stays. */
export class ResidentStays extends Error {
  readonly resident: NodeRow;

  constructor(resident: NodeRow) {
    super('The file that is there stays');
    this.resident = resident;
  }
}

export function createAdding({
  storage,
  blobs,
  nodes,
  placements,
  quota,
  events,
  aborting,
}: {
  storage: BlobStore;
  blobs: Blobs;
  nodes: Nodes;
  placements: Pick<Placements, 'overwrite'>;
  quota: Quota;
  events: Events;
  aborting: Aborting;
}): Adding {
  return {
    async add(tx, file, { hash, size, gcid, cid, storeKey, checksums }, fromReserved) {
      const { id, account } = file;
      const { row: blob } = await blobs.ensure(tx, { hash, size, gcid, cid, storeKey, checksums });
      if (blob.store_key !== storeKey) tx.afterCommit(() => aborting.letGo(storage.remove(storeKey)));
      const content = { ...file, blob: blob.hash, size };
      const replaced = await placements.overwrite(tx, content, { reserved: fromReserved });
      if (replaced) return replaced;
      const node = await nodes.addFile(tx, content);
      if (node.id !== id) throw new ResidentStays(node);
      await quota.charge(tx, account, size, { reason: 'upload', reference: id, fromReserved });
      await events.came(tx, account, 'TYPE_UPLOAD', [id]);
      return node;
    },
  };
}
