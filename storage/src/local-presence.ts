import { join } from 'node:path';
import { isMissing, isOccupied } from './disk.ts';
import { createSharedRuns } from './shared-runs.ts';
import { freshName } from './names.ts';
import {
  BlobDamaged,
  BlobNotFound,
  KeyTaken,
  PartMissing,
  StagingGone,
  StorageError,
  StorageUnavailable,
} from './storage-errors.ts';
import type { LocalTree } from './local-tree.ts';

const RECENT_MS = 100;
const idFile = 'storage-id';
const idPattern = /^[0-9a-f]{20}\n$/;

/**
 * Checks that the storage is still where it was opened. If its disk is unmounted, the mount point is still there and
 * accepts writes, which would disappear from view when the disk is back.
 */
export interface Presence {
  /**
   * Rejects with StorageUnavailable unless the root is still the storage that was opened. Takes a single disk access.
   */
  confirm(): Promise<void>;
  /** Does the same as confirm, unless that succeeded a moment ago: for checks before a write that is confirmed later. */
  confirmRecently(): Promise<void>;
  /** Does the same as confirm, and checks that no folder at the top of the storage is missing. */
  confirmWhole(): Promise<void>;
  /**
   * Makes work on the storage fail with the right error: if the whole storage is gone, files that seem missing,
   * damaged or in the way are reported as StorageUnavailable.
   */
  explain<R>(work: () => Promise<R>): Promise<R>;
}

/** Records which storage is at the root of the tree now. */
export async function rememberPresence(tree: LocalTree): Promise<Presence> {
  const { disk, root } = tree;
  const id = await ownId(tree);
  let place = await disk.identify(root);

  const runs = createSharedRuns();
  let confirmedAt = Number.NEGATIVE_INFINITY;

  async function confirm(): Promise<void> {
    const asked = performance.now();
    const found = await disk.identify(root).catch(away);
    if (found === place) {
      confirmedAt = asked;
      return;
    }
    // If the storage was remounted or restored from a copy, the same path has another identity.
    if (id === undefined || (await readId(tree)) !== id) return away();
    tree.forgetFolders();
    place = found;
  }

  const presence: Presence = {
    confirm: () => runs('root', confirm),
    async confirmRecently() {
      if (performance.now() - confirmedAt > RECENT_MS) await presence.confirm();
    },
    async confirmWhole() {
      await presence.confirm();
      for (const folder of tree.places) {
        const { kind } = await disk.inspect(folder).catch(away);
        if (kind !== 'folder') away();
      }
    },
    async explain(work) {
      try {
        return await work();
      } catch (error) {
        if (isAboutPlaces(error)) await presence.confirmWhole();
        throw error;
      }
    },
  };
  return presence;

  function away(error?: unknown): never {
    confirmedAt = Number.NEGATIVE_INFINITY;
    if (error !== undefined && !isMissing(error) && !isOccupied(error)) throw error;
    throw new StorageUnavailable(
      `${root} isn’t the storage that was opened; its disk may have been unmounted`,
      {
        cause: error,
      },
    );
  }
}

function isAboutPlaces(error: unknown): boolean {
  return (
    isMissing(error) ||
    isOccupied(error) ||
    error instanceof StagingGone ||
    error instanceof PartMissing ||
    error instanceof BlobNotFound ||
    error instanceof BlobDamaged ||
    error instanceof KeyTaken
  );
}

async function readId({ disk, root }: LocalTree): Promise<string | undefined> {
  const file = await disk.open(join(root, idFile), 'read').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return undefined;
  const bytes = Buffer.alloc(64);
  const read = await file.read(bytes, 0).finally(() => file.close());
  const text = bytes.subarray(0, read).toString();
  return idPattern.test(text) ? text : undefined;
}

/** The id of this storage, created if necessary; undefined if it can't be written now. */
async function ownId(tree: LocalTree): Promise<string | undefined> {
  const known = await readId(tree);
  if (known !== undefined) return known;
  const path = join(tree.root, idFile);
  try {
    await tree.disk.rename(await tree.draft(Buffer.from(`${freshName()}\n`)), path);
    await tree.disk.syncFolder(tree.root);
  } catch (error) {
    // A full or read-only storage can still be read.
    if (error instanceof StorageError) return undefined;
    throw error;
  }
  return readId(tree);
}
