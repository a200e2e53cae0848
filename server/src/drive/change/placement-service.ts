import { ApiFailure } from '@bowerbird/contract';
import type { Tx } from '../../foundation/database/index.ts';
import type { Quota } from '../../membership/index.ts';
import type { Blobs } from '../blob/index.ts';
import { checkName, nameColumns } from '../node/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FOLDER, type NodeRow } from '../drive.ts';
import { createLineage } from '../lineage.ts';
import { nameFold } from '../name-key.ts';

/** Destination of a node: the id of a live folder, or of the account for the root, and the name there. */
export interface Spot {
  readonly parent: string;
  readonly name: string;
}

export interface NewContent {
  readonly blob: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/**
 * Changes of one node for callers that use paths, not ids: an overwritten file stays the same node, with its id,
 * its shares and its star. Each runs in a transaction that holds the account's tree lock.
 */
export interface Placements {
  /** Replaces the content of a live file with a blob that has a row, and charges or refunds the difference. */
  replaceContent(tx: Tx, file: NodeRow, content: NewContent): Promise<NodeRow>;
  /**
   * Moves a live node to a spot; a node already there is moved to the trash. Throws `file_move_into_itself` if the spot
   * is inside the node, or the node inside the one to be trashed.
   */
  move(tx: Tx, node: NodeRow, to: Spot): Promise<NodeRow>;
  /** Merges two files: `onto` gets the content of `file`, which is then deleted permanently. */
  moveOnto(tx: Tx, file: NodeRow, onto: NodeRow): Promise<NodeRow>;
  /** Sets the modification date of a node. */
  setModified(tx: Tx, node: Pick<NodeRow, 'id'>, modifiedAt: number): Promise<void>;
}

interface PlacementDeps {
  readonly store: DriveStore;
  readonly blobs: Blobs;
  readonly trash: TrashCan;
  readonly purges: Purges;
  readonly quota: Quota;
}

export function createPlacements({ store, blobs, trash, purges, quota }: PlacementDeps): Placements {
  const placements: Placements = {
    async replaceContent(tx, file, { blob, size, modifiedAt }) {
      await store.replaceBytes(tx, file.id, {
        blob,
        size,
        modified_at: modifiedAt,
      });
      if (file.blob !== null && file.blob !== blob) {
        const old = await blobs.byHash(tx, file.blob, file.size);
        if (old) await blobs.release(tx, old);
      }
      const note = { reason: 'replace', reference: file.id };
      if (size > file.size) await quota.charge(tx, file.account, size - file.size, note);
      else await quota.refund(tx, file.account, file.size - size, note);
      return (await store.byId(tx, file.id))!;
    },

    async move(tx, node, { parent, name }) {
      checkName(name);
      const destination = createLineage(parent === node.account ? [] : await store.lineage(tx, [parent]));
      if (node.kind === FOLDER && destination.isWithin(parent, new Set([node.id])))
        throw new ApiFailure('file_move_into_itself');
      const residents = (await store.named(tx, parent, [nameFold(name)]))
        .map(({ id }) => id)
        .filter((id) => id !== node.id);
      const above = createLineage(residents.length > 0 ? await store.lineage(tx, [node.id]) : []);
      if (above.isWithin(node.id, new Set(residents))) throw new ApiFailure('file_move_into_itself');
      await trash.put(tx, node.account, residents);
      await store.update(tx, node.id, { parent, ...nameColumns(name, node.kind) });
      return (await store.byId(tx, node.id))!;
    },

    async moveOnto(tx, file, onto) {
      // Deleted first, so that the two never count against the quota together.
      await purges.take(tx, file.account, [file.id], file.id);
      return placements.replaceContent(tx, onto, {
        blob: file.blob!,
        size: file.size,
        modifiedAt: file.modified_at,
      });
    },

    setModified: (tx, { id }, modifiedAt) => store.update(tx, id, { modified_at: modifiedAt }),
  };
  return placements;
}
