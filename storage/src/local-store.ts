import { dirname, join, resolve } from 'node:path';
import { resolveRange, sliceSegments, streamSlices } from './byte-stream.ts';
import { isMissing, isOccupied, nodeDisk, plainSpoken } from './disk.ts';
import { findBlob, readFileSlices } from './local-blobs.ts';
import { createLocalStaging, forgetUpload } from './local-staging.ts';
import { createLocalTree } from './local-tree.ts';
import { checkKey, checkUploadId, isKey, isUploadId } from './names.ts';
import { pourFiles } from './pour.ts';
import { createSerial } from './serial.ts';
import { BlobNotFound, KeyTaken, StorageUnavailable } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { Disk } from './disk.ts';
import type { LocalTree } from './local-tree.ts';

const signature = 'storage.json';
const format = 1;
// An unfinished file on its way to kept/ is small and takes seconds; a day old, its process is long dead.
const incomingAge = 24 * 3600 * 1000;

/**
 * Bytes under a folder of this machine, which is made when it isn't there. Rejects with StorageUnavailable when the
 * folder can't be used. `disk` is the disk itself unless a test says otherwise.
 */
export async function openLocalStore(
  folder: string,
  { disk: raw = nodeDisk }: { disk?: Disk } = {},
): Promise<BlobStore> {
  const root = resolve(folder);
  const disk = plainSpoken(raw);
  const tree = createLocalTree(disk, root);
  const serial = createSerial();
  await prepare(tree).catch((error: unknown) => {
    if (isMissing(error) || isOccupied(error))
      throw new StorageUnavailable((error as Error).message, { cause: error });
    throw error;
  });

  return {
    capabilities: { reach: 'machine', durable: true },
    async stage(uploadId) {
      checkUploadId(uploadId);
      const area = tree.staged(uploadId);
      await serial(uploadId, async () => {
        if (await disk.makeFolder(area)) await disk.syncFolder(tree.stagedRoot);
        else await disk.touch(area);
      });
      return createLocalStaging(tree, serial, uploadId);
    },
    async discard(uploadId) {
      checkUploadId(uploadId);
      await serial(uploadId, () => forgetUpload(tree, uploadId));
    },
    async *staged() {
      const ids = new Set([...(await disk.names(tree.stagedRoot)), ...(await disk.names(tree.keepingRoot))]);
      for (const uploadId of [...ids].filter(isUploadId)) {
        const areas = await Promise.all([tree.staged(uploadId), tree.keeping(uploadId)].map(timeOrNull));
        const modifiedAt = Math.max(...areas.map((time) => time?.getTime() ?? 0));
        if (modifiedAt > 0) yield { uploadId, modifiedAt: new Date(modifiedAt) };
      }
    },
    async put(key, bytes) {
      checkKey(key);
      const target = tree.blob(key);
      await tree.durableFolder(dirname(target));
      const draft = await tree.draft(bytes);
      try {
        await disk.rename(draft, target);
      } catch (error) {
        await disk.remove(draft).catch(() => {});
        throw isOccupied(error) ? new KeyTaken(key) : error;
      }
      await disk.syncFolder(dirname(target));
    },
    async open(key, range) {
      checkKey(key);
      const blob = await findBlob(tree, key);
      if (!blob) throw new BlobNotFound(key);
      const { start, length } = resolveRange(blob.size, range);
      const slices = sliceSegments(blob.segments, start, length);
      return {
        size: blob.size,
        length,
        stream: streamSlices(key, slices, readFileSlices(disk, key)),
        pour: (sink) => pourFiles(disk, key, slices, sink),
      };
    },
    async stat(key) {
      checkKey(key);
      const blob = await findBlob(tree, key);
      return blob && { size: blob.size };
    },
    async remove(key) {
      checkKey(key);
      await tree.throwAway(tree.blob(key));
    },
    async *list(prefix) {
      // Only the folders whose keys can start like this are walked.
      const folders = prefix.split('/').slice(0, -1);
      yield* walk(folders.join('/'));

      async function* walk(folder: string): ReturnType<BlobStore['list']> {
        for (const name of await tree.namesOrNone(tree.keptFolder(folder))) {
          const blobName = tree.keyName(name);
          const key = [folder, blobName ?? name].filter(Boolean).join('/');
          if (!isKey(key)) continue; // lost+found and its like
          if (blobName === null) {
            if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* walk(key);
            continue;
          }
          if (!key.startsWith(prefix)) continue;
          const blob = await findBlob(tree, key);
          if (blob) yield { key, size: blob.size, modifiedAt: blob.modifiedAt };
        }
      }
    },
    async health() {
      // The folder alone proves nothing: under a disk that came off there is an empty one of the same name.
      // Touching needs no space, so a full disk, which still reads and deletes, is a healthy one.
      await disk.touch(join(root, signature)).catch((error: unknown) => {
        if (isMissing(error)) throw new StorageUnavailable(`${root} is not there any more`, { cause: error });
        throw error;
      });
    },
    freeSpace: () => disk.freeSpace(root),
    async close() {},
  };

  async function timeOrNull(path: string): Promise<Date | null> {
    return disk.inspect(path).then(
      ({ modifiedAt }) => modifiedAt,
      () => null,
    );
  }
}

/** Makes the folders, checks that they are ours, and clears away what died half-way. */
async function prepare(tree: LocalTree): Promise<void> {
  const { disk, root } = tree;
  const folders = [tree.stagedRoot, tree.keepingRoot, tree.keptFolder(''), tree.incoming, tree.trash];
  for (const folder of folders) await disk.makeFolder(folder);
  await checkSignature(tree);
  await disk.syncFolder(root);

  for (const name of await disk.names(tree.trash)) await disk.remove(join(tree.trash, name));
  for (const name of await disk.names(tree.incoming)) {
    const path = join(tree.incoming, name);
    const found = await disk.inspect(path).catch(() => null);
    if (found && Date.now() - found.modifiedAt.getTime() > incomingAge) await disk.remove(path);
  }
}

async function checkSignature(tree: LocalTree): Promise<void> {
  const path = join(tree.root, signature);
  const expected = `${JSON.stringify({ format })}\n`;
  const file = await tree.disk.open(path, 'read').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (!file) return tree.disk.rename(await tree.draft(Buffer.from(expected)), path);
  const bytes = Buffer.alloc(256);
  const read = await file.read(bytes, 0).finally(() => file.close());
  const found = bytes.subarray(0, read).toString();
  if (found !== expected)
    throw new StorageUnavailable(`${path} says ${found.trim()}, not ${expected.trim()}`);
}
