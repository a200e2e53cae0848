import { ApiFailure, type VersionCause } from '@bowerbird/contract';
import type { Clock } from '../../foundation/index.ts';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { Quota, Traffic } from '../../membership/index.ts';
import type { Blobs } from '../blob/index.ts';
import type { Recents } from '../event/index.ts';
import { checkName, nameColumns, type NewFile, type Nodes } from '../node/index.ts';
import type { AnnotationStore } from '../annotation/index.ts';
import type { Purges, TrashCan } from '../trash/index.ts';
import { isPinned, type VersionRow, type Versions } from '../version/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { DriveStore } from '../drive-store.ts';
import { FILE, FOLDER, type NodeRow } from '../drive.ts';
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
  readonly by: VersionCause;
  /** Bytes that were reserved for the content if it was uploaded; undefined if it has been in the drive before. */
  readonly uploaded?: { readonly reserved: number } | undefined;
  /** False if the former content must be kept, however soon it is replaced. */
  readonly isSameVisit?: boolean | undefined;
}

/** File whose content was replaced. */
export interface Replaced {
  readonly node: NodeRow;
  /** Id of the version that the former content became; undefined if it wasn't kept, or made room itself. */
  readonly version: string | undefined;
}

/**
 * Changes of one node for callers that use paths, not ids: an overwritten file stays the same node, with its id,
 * its shares and its star. Each runs in a transaction that holds the account's tree lock.
 */
export interface Placements {
  /**
   * Replaces the content of a live file with a blob that has a row, and keeps the former content as a version. If the
   * owner's storage is full, older versions of the file make room; throws `file_space_not_enough` if that isn't enough.
   */
  replaceContent(tx: Tx, file: NodeRow, content: NewContent): Promise<Replaced>;
  /**
   * Replaces the content of the live file that has the name of a new one, if that is to be replaced; otherwise changes
   * nothing and returns undefined. Takes the tree lock.
   */
  overwrite(tx: Tx, file: NewFile, uploaded: { readonly reserved: number }): Promise<NodeRow | undefined>;
  /**
   * Returns the bytes that replacing the file with this name frees at most: its content and the versions that make
   * room for others; 0 if there is no such file.
   */
  freedBy(sql: Sql, spot: Spot): Promise<number>;
  /**
   * Moves a live node to a spot; a node already there is moved to the trash. Throws `file_move_into_itself` if the spot
   * is inside the node, or the node inside the one to be trashed.
   */
  move(tx: Tx, node: NodeRow, to: Spot): Promise<NodeRow>;
  /**
   * Makes an earlier version the content of its file. The version leaves the list unless it has a label or is kept
   * forever.
   */
  restore(tx: Tx, file: NodeRow, before: VersionRow): Promise<Replaced>;
  /** Merges two files: `onto` gets the content, the versions and the tags of `file`, which is then deleted permanently. */
  moveOnto(tx: Tx, file: NodeRow, onto: NodeRow): Promise<NodeRow>;
  /** Sets the modification date of a node. */
  setModified(tx: Tx, node: Pick<NodeRow, 'id'>, modifiedAt: number): Promise<void>;
}

interface PlacementDeps {
  readonly store: DriveStore;
  readonly blobs: Blobs;
  readonly trash: TrashCan;
  readonly purges: Purges;
  readonly sizes: FolderSizeStore;
  readonly quota: Quota;
  readonly traffic: Pick<Traffic, 'add' | 'check'>;
  readonly nodes: Pick<Nodes, 'lock' | 'folder' | 'taken'>;
  readonly versions: Versions;
  readonly recents: Pick<Recents, 'noted'>;
  readonly annotations: Pick<AnnotationStore, 'adopt'>;
  readonly clock: Clock;
}

export function createPlacements(deps: PlacementDeps): Placements {
  const { store, blobs, trash, purges, sizes, quota, traffic, nodes, versions, recents, annotations, clock } =
    deps;

  /** Charges or refunds the difference of a replaced content. Returns the versions that made room for it. */
  async function settle(
    tx: Tx,
    file: NodeRow,
    { size, uploaded }: NewContent,
    isKept: boolean,
  ): Promise<readonly { readonly id: string }[]> {
    const { account } = file;
    const note = { reason: 'replace', reference: file.id };
    const growth = size - (isKept ? 0 : file.size);
    const reserved = uploaded?.reserved ?? 0;
    const gone = growth > reserved ? await versions.makeRoom(tx, file, growth - reserved) : [];
    if (growth >= 0) await quota.charge(tx, account, growth, { ...note, fromReserved: reserved });
    else {
      await quota.release(tx, account, reserved);
      await quota.refund(tx, account, -growth, note);
    }
    if (!uploaded) return gone;
    await traffic.add(tx, account, 'upload', size);
    // Reserved uploads were checked before.
    if (reserved === 0) await traffic.check(tx, account, 'upload', 0);
    return gone;
  }

  const placements: Placements = {
    async replaceContent(tx, file, content) {
      const { blob, size, modifiedAt, by, isSameVisit } = content;
      const version = await versions.keep(tx, file, { by, hash: blob, isSameVisit });
      await store.replaceBytes(tx, file.id, {
        blob,
        size,
        modified_at: modifiedAt,
      });
      await sizes.add(tx, [{ parent: file.parent, bytes: size - file.size, files: 0, folders: 0 }]);
      if (file.blob !== null && file.blob !== blob && version === undefined) {
        const old = await blobs.byHash(tx, file.blob, file.size);
        if (old) await blobs.release(tx, old);
      }
      // The first content of a file that was created empty isn't an edit.
      if (file.size > 0) await recents.noted(tx, file.account, 'edited', [file.id]);
      const gone = await settle(tx, file, content, version !== undefined);
      const isLeft = !gone.some(({ id }) => id === version);
      return { node: (await store.byId(tx, file.id))!, version: isLeft ? version : undefined };
    },

    async overwrite(tx, { account, parent, name, blob, size, conflict, modifiedAt }, uploaded) {
      if (conflict !== 'replace') return undefined;
      await nodes.lock(tx, account);
      const folder = await nodes.folder(tx, account, parent);
      const file = (await nodes.taken(tx, folder, [name]))[0]?.node;
      if (file?.kind !== FILE) return undefined;
      const content = { blob, size, modifiedAt: modifiedAt ?? clock.now(), by: 'upload', uploaded } as const;
      return (await placements.replaceContent(tx, file, content)).node;
    },

    async freedBy(at, { parent, name }) {
      const file = (await nodes.taken(at, parent, [name]))[0]?.node;
      return file?.kind === FILE ? file.size + (await versions.removable(at, file.id)) : 0;
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
      const moved = parent === node.parent ? [] : await sizes.of(tx, [node.id]);
      await store.update(tx, node.id, { parent, ...nameColumns(name, node.kind) });
      if (parent !== node.parent) await sizes.move(tx, moved, parent);
      return (await store.byId(tx, node.id))!;
    },

    async restore(tx, file, before) {
      // A version that leaves the list gives back its storage first; its bytes stay, since the file refers to them.
      if (!isPinned(before)) await versions.remove(tx, file.account, [before]);
      return placements.replaceContent(tx, file, {
        blob: before.hash,
        size: before.size,
        modifiedAt: clock.now(),
        by: 'restore',
      });
    },

    async moveOnto(tx, file, onto) {
      await versions.adopt(tx, file, onto);
      await annotations.adopt(tx, file.id, onto.id);
      // Deleted first, so that its bytes never count twice.
      await purges.take(tx, file.account, [file.id], file.id);
      const content = {
        blob: file.blob!,
        size: file.size,
        modifiedAt: file.modified_at,
        by: 'webdav',
      } as const;
      return (await placements.replaceContent(tx, onto, content)).node;
    },

    setModified: (tx, { id }, modifiedAt) => store.update(tx, id, { modified_at: modifiedAt }),
  };
  return placements;
}
