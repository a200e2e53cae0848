import { dirname, join, resolve } from 'node:path';
import { resolveRange, sliceSegments, streamSlices } from './byte-stream.ts';
import { isMissing, isOccupied, nodeDisk, plainSpoken } from './disk.ts';
import { findBlob, readFileSlices } from './local-blobs.ts';
import { rememberPresence } from './local-presence.ts';
import { createLocalStaging, forgetUpload } from './local-staging.ts';
import { createLocalTree } from './local-tree.ts';
import { checkKey, checkUploadId, isKey, isUploadId } from './names.ts';
import { pipeFiles } from './pipe.ts';
import { createSerial } from './serial.ts';
import { createSharedRuns } from './shared-runs.ts';
import { BlobDamaged, BlobNotFound, KeyTaken, StorageMissing, StorageUnavailable } from './storage-errors.ts';
import { limitWrites, writesAtOnce } from './write-limit.ts';
import type { BlobStore } from './blob-store.ts';
import type { ReadSlice } from './byte-stream.ts';
import type { Disk } from './disk.ts';
import type { LocalTree } from './local-tree.ts';

const signature = 'storage.json';
const format = 1;
// Unfinished files on their way to kept/ are small and take seconds; after a day, the process that wrote one is long
// gone.
const incomingAge = 24 * 3600 * 1000;

/**
 * Stores bytes in a folder of this machine. The folder is created if it doesn't exist, unless `create` is false: then
 * rejects with StorageMissing. Rejects with StorageUnavailable if the folder can't be used. Once the storage is open,
 * neither the folder nor the folders at its top are ever created again. `disk` is the real disk unless a test passes
 * another.
 */
export async function openLocalStore(
  folder: string,
  { disk: raw = nodeDisk, create = true }: { disk?: Disk; create?: boolean } = {},
): Promise<BlobStore> {
  const root = resolve(folder);
  const disk = sharingAnswers(plainSpoken(limitWrites(raw, writesAtOnce)));
  const tree = createLocalTree(disk, root);
  const serial = createSerial();
  await prepare(tree, create).catch((error: unknown) => {
    if (isMissing(error) || isOccupied(error))
      throw new StorageUnavailable((error as Error).message, { cause: error });
    throw error;
  });
  const presence = await rememberPresence(tree);
  /** Nothing is acknowledged that was written anywhere but to the storage. */
  const acknowledged = async <R>(work: () => Promise<R>): Promise<R> => {
    const result = await presence.explain(work);
    await presence.confirm();
    return result;
  };

  return {
    capabilities: { reach: 'machine', durable: true },
    async stage(uploadId) {
      checkUploadId(uploadId);
      const area = tree.staged(uploadId);
      await presence.confirm();
      await presence.explain(() =>
        serial(uploadId, async () => {
          if (await disk.makeFolder(area)) await disk.syncFolder(tree.stagedRoot);
          else await disk.touch(area);
        }),
      );
      const staging = createLocalStaging(tree, serial, uploadId);
      return {
        uploadId,
        writePart: (number, source, options) =>
          acknowledged(() => staging.writePart(number, source, options)),
        parts: () => acknowledged(() => staging.parts()),
        keep: (key, parts) => acknowledged(() => staging.keep(key, parts)),
      };
    },
    async discard(uploadId) {
      checkUploadId(uploadId);
      await acknowledged(() => serial(uploadId, () => forgetUpload(tree, uploadId)));
    },
    async *staged() {
      await presence.confirmWhole();
      const ids = new Set([...(await disk.names(tree.stagedRoot)), ...(await disk.names(tree.keepingRoot))]);
      for (const uploadId of [...ids].filter(isUploadId)) {
        const areas = await Promise.all([tree.staged(uploadId), tree.keeping(uploadId)].map(timeOrNull));
        const modifiedAt = Math.max(...areas.map((time) => time?.getTime() ?? 0));
        if (modifiedAt > 0) yield { uploadId, modifiedAt: new Date(modifiedAt) };
      }
    },
    async put(key, bytes) {
      checkKey(key);
      await presence.confirmRecently();
      await acknowledged(() => put(key, bytes));
    },
    async open(key, range) {
      checkKey(key);
      const blob = await presence.explain(async () => {
        const found = await findBlob(tree, key);
        if (!found) throw new BlobNotFound(key);
        return found;
      });
      const { start, length } = resolveRange(blob.size, range);
      const slices = sliceSegments(blob.segments, start, length);
      return {
        size: blob.size,
        length,
        stream: streamSlices(key, slices, explainedSlices(readFileSlices(disk, key))),
        pipeTo: (sink) => presence.explain(() => pipeFiles(disk, key, slices, sink)),
      };
    },
    async stat(key) {
      checkKey(key);
      const blob = await presence.explain(() => findBlob(tree, key));
      if (!blob) await presence.confirmWhole();
      return blob && { size: blob.size };
    },
    async remove(key) {
      checkKey(key);
      await acknowledged(() => tree.throwAway(tree.blob(key)));
    },
    async *list(prefix) {
      // Only folders that can contain keys with this prefix are walked.
      const folders = prefix.split('/').slice(0, -1);
      await presence.confirmWhole();
      yield* walk(folders.join('/'));
      // The disk may have been unmounted during the walk, which then missed some blobs.
      await presence.confirmWhole();

      async function* walk(folder: string): ReturnType<BlobStore['list']> {
        for (const name of await tree.namesOrNone(tree.keptFolder(folder))) {
          const blobName = tree.keyName(name);
          const key = [folder, blobName ?? name].filter(Boolean).join('/');
          if (!isKey(key)) continue; // lost+found and similar
          if (blobName === null) {
            const isWanted = `${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`);
            if (isWanted && (await isFolder(tree.keptFolder(key)))) yield* walk(key);
            continue;
          }
          if (!key.startsWith(prefix)) continue;
          // A damaged blob is reported when it is opened; it must not prevent the others from being listed.
          const blob = await findBlob(tree, key).catch(nullIfDamaged);
          if (blob) yield { key, size: blob.size, modifiedAt: blob.modifiedAt };
        }
      }
    },
    async health() {
      await presence.confirmWhole();
      // Touching a file needs no space: a full disk is considered healthy, since it can still read and delete.
      await disk.touch(join(root, signature)).catch((error: unknown) => {
        if (isMissing(error)) throw new StorageUnavailable(`${root} no longer exists`, { cause: error });
        throw error;
      });
    },
    async freeSpace() {
      await presence.confirm();
      return presence.explain(() => disk.freeSpace(root));
    },
    async close() {},
  };

  async function put(key: string, bytes: Uint8Array): Promise<void> {
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
  }

  function explainedSlices(read: ReadSlice): ReadSlice {
    return async function* (slice, stop) {
      const chunks = read(slice, stop)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await presence.explain(() => chunks.next());
          if (done) return;
          yield value;
        }
      } finally {
        await chunks.return?.();
      }
    };
  }

  async function isFolder(path: string): Promise<boolean> {
    return disk.inspect(path).then(
      ({ kind }) => kind === 'folder',
      () => false,
    );
  }

  async function timeOrNull(path: string): Promise<Date | null> {
    return disk.inspect(path).then(
      ({ modifiedAt }) => modifiedAt,
      () => null,
    );
  }
}

/**
 * The same disk, but callers that wait for the entries of one folder to become durable, or for the same question about
 * a path, share the answer.
 */
function sharingAnswers(disk: Disk): Disk {
  const flushes = createSharedRuns();
  const paths = createSharedRuns<string>();
  return {
    ...disk,
    syncFolder: (path) => flushes(path, () => disk.syncFolder(path)),
    realPath: (path) => paths(path, () => disk.realPath(path)),
  };
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof BlobDamaged) return null;
  throw error;
}

/** Creates the folders, checks that they are ours, and deletes what unfinished operations left. */
async function prepare(tree: LocalTree, create: boolean): Promise<void> {
  const { disk, root } = tree;
  if (create) await disk.makeFolders(root);
  else await requireSignature(tree);
  for (const folder of tree.places) {
    if (await disk.makeFolder(folder)) continue;
    if ((await disk.inspect(folder)).kind !== 'folder')
      throw new StorageUnavailable(`${folder} isn’t a folder`);
  }
  await checkSignature(tree);
  await disk.syncFolder(root);

  for (const name of await disk.names(tree.trash)) await disk.remove(join(tree.trash, name));
  for (const name of await disk.names(tree.incoming)) {
    const path = join(tree.incoming, name);
    const found = await disk.inspect(path).catch(() => null);
    if (found && Date.now() - found.modifiedAt.getTime() > incomingAge) await disk.remove(path);
  }
}

/** Refuses a folder in which no storage was ever created, without changing it. */
async function requireSignature({ disk, root }: LocalTree): Promise<void> {
  await disk.inspect(join(root, signature)).catch((error: unknown) => {
    if (isMissing(error)) throw new StorageMissing(`there is no storage in ${root}`, { cause: error });
    throw error;
  });
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
    throw new StorageUnavailable(`${path} contains ${found.trim()} instead of ${expected.trim()}`);
}
