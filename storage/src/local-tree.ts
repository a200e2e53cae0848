import { dirname, join, relative, sep } from 'node:path';
import { isMissing } from './disk.ts';
import { writeFlow } from './file-writer.ts';
import { freshName } from './names.ts';
import { StagingGone, StorageUnavailable } from './storage-errors.ts';
import type { Disk, DiskFile } from './disk.ts';
import type { StagedPart } from './blob-store.ts';

// Layout below the root (docs/formats/storage-on-disk.md):
//
//   storage.json                                marks the folder as a storage
//   storage-id                                  unique id of this storage
//   staged/<upload id>/<part file>              parts that are complete
//   staged/<upload id>/incoming-<nonce>         a part still being written
//   keeping/<upload id>/<part file>             parts selected by a keep() in progress, then manifest.json
//   kept/<key>.blob                             kept bytes: a file, or the folder that was in keeping/
//   incoming/<nonce>                            a file on its way to kept/
//   trash/<nonce>                               removed, but its space is not yet released

/** A staged part in its own file, which never changes: its name contains all its metadata. */
export interface PartFile extends StagedPart {
  readonly file: string;
}

const partFilePattern = /^(\d{1,5})\.(\d+-[a-z0-9]+)\.(\d+)$/;
const blobSuffix = '.blob'; // keys contain no dots, so a blob never collides with a folder of keys

export function partFile(number: number, version: string, size: number): PartFile {
  return { number, version, size, file: `${number}.${version}.${size}` };
}

export function parsePartFile(file: string): PartFile | null {
  const [, number, version, size] = partFilePattern.exec(file) ?? [];
  return version === undefined ? null : { number: Number(number), version, size: Number(size), file };
}

export type LocalTree = ReturnType<typeof createLocalTree>;

/** Paths under the root, and the few operations on them that the engine consists of. */
export function createLocalTree(disk: Disk, root: string) {
  const kept = join(root, 'kept');
  const trash = join(root, 'trash');
  const incoming = join(root, 'incoming');
  const durable = new Set<string>();
  let realRoot: Promise<string> | undefined;

  /** True for a folder that was made durable before, and is still in its place. */
  async function isStillDurable(path: string): Promise<boolean> {
    if (!durable.has(path)) return false;
    try {
      return !(await tree.leadsThroughLink(path));
    } catch (error) {
      if (!isMissing(error)) throw error;
      durable.clear();
      return false;
    }
  }

  const tree = {
    disk,
    root,
    trash,
    incoming,
    /** The folders that every storage has. */
    places: [join(root, 'staged'), join(root, 'keeping'), kept, incoming, trash] as readonly string[],
    stagedRoot: join(root, 'staged'),
    keepingRoot: join(root, 'keeping'),
    staged: (uploadId: string) => join(root, 'staged', uploadId),
    keeping: (uploadId: string) => join(root, 'keeping', uploadId),
    blob: (key: string) => join(kept, ...key.split('/')) + blobSuffix,
    keptFolder: (keys: string) => join(kept, ...keys.split('/')),
    keyName: (name: string) => (name.endsWith(blobSuffix) ? name.slice(0, -blobSuffix.length) : null),

    /**
     * Creates a folder below kept/ so that it survives a power cut, including its entries up to the root. Never
     * creates kept/ itself.
     */
    async durableFolder(path: string): Promise<void> {
      const folders: string[] = [];
      for (let at = path; at !== root && at.startsWith(root + sep); at = dirname(at)) {
        if (await isStillDurable(at)) break;
        folders.unshift(at);
      }
      for (const folder of folders) {
        if (folder !== kept && (await disk.makeFolder(folder))) continue;
        if ((await disk.inspect(folder)).kind !== 'folder')
          throw new StorageUnavailable(`${folder} isn’t a folder`);
      }
      for (const folder of folders.toReversed()) await disk.syncFolder(dirname(folder));
      if (durable.size > 10_000) durable.clear();
      for (const folder of folders) durable.add(folder);
    },

    /** Called after another disk was mounted at the root: nothing is known about its folders. */
    forgetFolders(): void {
      durable.clear();
      realRoot = undefined;
    },

    /** True if a path below the root contains a link, and may therefore lead out of the storage. */
    async leadsThroughLink(path: string): Promise<boolean> {
      const leads = async (from: Promise<string>): Promise<boolean> => {
        const [start, real] = await Promise.all([from, disk.realPath(path)]);
        return real !== join(start, relative(root, path));
      };
      // The path to the root rarely changes; if it seems to have, it is resolved again.
      if (realRoot !== undefined && !(await leads(realRoot))) return false;
      const found = disk.realPath(root);
      const isLed = await leads(found);
      realRoot = isLed ? undefined : found;
      return isLed;
    },

    /** Names in a folder; empty if there is no folder. */
    async namesOrNone(path: string): Promise<string[]> {
      return disk.names(path).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
    },

    /** Calls `fill` to write a file that was just created, and removes the file if that fails. */
    async fillFile<T>(path: string, file: DiskFile, fill: (file: DiskFile) => Promise<T>): Promise<T> {
      try {
        return await fill(file).finally(() => file.close());
      } catch (error) {
        await disk.remove(path).catch(() => {}); // the original error matters more
        throw error;
      }
    },

    /** Durably writes a new file with these bytes, to be moved to its destination afterwards. */
    async draft(bytes: Uint8Array): Promise<string> {
      const path = join(incoming, freshName());
      const file = await disk.open(path, 'create');
      await tree.fillFile(path, file, () => writeFlow(file, once(bytes)));
      return path;
    },

    /** Moves a file or folder away in a single step, then releases its bytes. Succeeds if it doesn't exist. */
    async throwAway(path: string): Promise<void> {
      const doomed = join(trash, freshName());
      try {
        await disk.rename(path, doomed);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await disk.remove(doomed);
    },

    /** Parts in staged/ and parts that a keep() has already selected, in all versions. */
    async partFiles(uploadId: string): Promise<(PartFile & { path: string })[]> {
      const within = async (folder: string) =>
        (await tree.namesOrNone(folder)).flatMap((name) => {
          const part = parsePartFile(name);
          return part ? [{ ...part, path: join(folder, name) }] : [];
        });
      // In this order, a part that is moved meanwhile is seen twice rather than not at all.
      const landed = await within(tree.staged(uploadId));
      return [...landed, ...(await within(tree.keeping(uploadId)))];
    },
  };
  return tree;
}

/** Converts a missing path to StagingGone. */
export function orGone(uploadId: string): (error: unknown) => never {
  return (error) => {
    if (isMissing(error)) throw new StagingGone(uploadId, { cause: error });
    throw error;
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes.byteLength > 0) yield bytes;
}
