import { dirname, join } from 'node:path';
import { isMissing, isOccupied } from './disk.ts';
import { writeFlow } from './file-writer.ts';
import { findBlob, manifestFile, manifestText } from './local-blobs.ts';
import { orGone, parsePartFile, partFile } from './local-tree.ts';
import { checkKey, checkPartNumber, freshName } from './names.ts';
import { checkedFlow } from './part-flow.ts';
import { checkChoices, chooseParts, latestParts, nextVersion } from './parts.ts';
import { KeyTaken, StagingGone } from './storage-errors.ts';
import type { PartChoice, PartVersion, Staging } from './blob-store.ts';
import type { LocalTree, PartFile } from './local-tree.ts';
import type { Serial } from './serial.ts';

/**
 * The area of one upload on disk. Each step is a single rename, so that the next call can continue from every state
 * that a crash can leave. `serial` orders the steps within this process; between processes, the renames decide.
 */
export function createLocalStaging(tree: LocalTree, serial: Serial, uploadId: string): Staging {
  const { disk } = tree;
  const staged = tree.staged(uploadId);
  const keeping = tree.keeping(uploadId);

  return {
    uploadId,
    async writePart(number, source, options = {}) {
      checkPartNumber(number);
      const incoming = join(staged, `incoming-${freshName()}`);
      const file = await disk.open(incoming, 'create').catch(orGone(uploadId));
      const size = await tree.fillFile(incoming, file, () =>
        writeFlow(file, checkedFlow(source, options), options.spent),
      );
      try {
        return await serial(uploadId, () => land(incoming, number, size));
      } catch (error) {
        await disk.remove(incoming).catch(() => {});
        throw error;
      }
    },
    async parts() {
      const latest = latestParts(await tree.partFiles(uploadId));
      return latest.map(({ number, size, version }) => ({ number, size, version }));
    },
    async keep(key, choices) {
      checkKey(key);
      const size = checkChoices(choices);
      await serial(uploadId, () => keep(key, size, choices));
    },
  };

  async function land(incoming: string, number: number, size: number): Promise<PartVersion> {
    const earlier = (await tree.partFiles(uploadId)).filter((part) => part.number === number);
    const version = nextVersion(earlier);
    await disk.rename(incoming, join(staged, partFile(number, version, size).file)).catch(orGone(uploadId));
    await disk.syncFolder(staged).catch(orGone(uploadId));
    // Only parts still in staged/ may be dropped here: those in keeping/ may be about to become a blob.
    for (const part of earlier) await disk.remove(join(staged, part.file));
    return { size, version };
  }

  async function keep(key: string, size: number, choices: readonly PartChoice[]): Promise<void> {
    const target = tree.blob(key);
    if (!(await isKept(key, size))) {
      await tree.durableFolder(dirname(target));
      try {
        await moveInto(target, choices);
      } catch (error) {
        // Another call was faster, with this upload or with another one of the same bytes; or it is a real failure.
        if (!(isMissing(error) || isOccupied(error) || error instanceof StagingGone)) throw error;
        if (!(await isKept(key, size))) orGone(uploadId)(error);
      }
    }
    await disk.syncFolder(dirname(target));
    // The bytes are kept even if the cleanup fails; the upload is then listed by staged() until it is discarded.
    await forgetUpload(tree, uploadId).catch(() => {});
  }

  /** True if the bytes already exist; resets their age, as if they were kept now. */
  async function isKept(key: string, size: number): Promise<boolean> {
    const kept = await findBlob(tree, key);
    if (!kept) return false;
    if (kept.size !== size) throw new KeyTaken(key);
    return disk.touch(tree.blob(key)).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
  }

  async function moveInto(target: string, choices: readonly PartChoice[]): Promise<void> {
    const parts = chooseParts(await tree.partFiles(uploadId), choices);
    if (parts.length === 1) return disk.rename(parts[0]!.path, target);
    if (parts.length === 0) {
      await disk.inspect(staged);
      return disk.rename(await tree.draft(Buffer.alloc(0)), target);
    }
    await collect(parts);
    await disk.rename(keeping, target);
  }

  /** Collects exactly these parts and their manifest in keeping/. */
  async function collect(parts: readonly (PartFile & { path: string })[]): Promise<void> {
    await disk.makeFolder(keeping);
    for (const { path, file } of parts) {
      const chosen = join(keeping, file);
      if (path !== chosen) await disk.rename(path, chosen);
    }
    // An earlier attempt may have selected other parts: they are moved back, in case this attempt fails as well.
    const wanted = new Set(parts.map(({ file }) => file));
    for (const name of await disk.names(keeping)) {
      if (parsePartFile(name) && !wanted.has(name))
        await disk.rename(join(keeping, name), join(staged, name));
    }
    // Written elsewhere first: a parallel keep() must never see or remove a partial manifest.
    const manifest = await tree.draft(manifestText(parts.map(({ file, size }) => ({ name: file, size }))));
    await disk.rename(manifest, join(keeping, manifestFile));
    await disk.syncFolder(keeping);
  }
}

/** Deletes everything staged for an upload. */
export async function forgetUpload(tree: LocalTree, uploadId: string): Promise<void> {
  await tree.throwAway(tree.staged(uploadId));
  await tree.throwAway(tree.keeping(uploadId));
}
