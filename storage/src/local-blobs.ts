import { dirname, join } from 'node:path';
import { chunkSize } from './byte-stream.ts';
import { isLink, isMissing } from './disk.ts';
import { BlobDamaged } from './storage-errors.ts';
import type { ReadSlice, Segment } from './byte-stream.ts';
import type { Disk, DiskFile } from './disk.ts';
import type { LocalTree } from './local-tree.ts';

/** A kept blob on disk: one segment if it is a file, several if it is a folder of parts. */
export interface LocalBlob {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly fromParts: boolean;
  /** Their names are paths. */
  readonly segments: readonly Segment[];
}

export const manifestFile = 'manifest.json';

/** The parts, in order, of the blob whose folder contains this manifest. */
interface Manifest {
  readonly format: 1;
  readonly size: number;
  readonly segments: readonly Segment[];
}

export function manifestText(segments: readonly Segment[]): Buffer {
  const size = segments.reduce((sum, segment) => sum + segment.size, 0);
  const manifest: Manifest = { format: 1, size, segments };
  return Buffer.from(JSON.stringify(manifest));
}

/** The blob kept under a key, or null. */
export async function findBlob(tree: LocalTree, key: string): Promise<LocalBlob | null> {
  const { disk } = tree;
  const path = tree.blob(key);
  try {
    const { kind, size, modifiedAt } = await disk.inspect(path);
    if (kind === 'other' || (await tree.leadsThroughLink(dirname(path))))
      throw new BlobDamaged(key, 'a link lies where its file should');
    if (kind === 'file') return { size, modifiedAt, fromParts: false, segments: [{ name: path, size }] };
    const manifest = parseManifest(key, await readWhole(disk, join(path, manifestFile)));
    const segments = manifest.segments.map((segment) => ({
      name: join(path, segment.name),
      size: segment.size,
    }));
    return { size: manifest.size, modifiedAt, fromParts: true, segments };
  } catch (error) {
    if (isLink(error)) throw new BlobDamaged(key, 'its manifest is a link', { cause: error });
    if (!isMissing(error)) throw error;
    // Either removed since the first check, or a folder without a manifest, which none of our steps leaves behind.
    const stillThere = await disk.inspect(path).catch(() => null);
    if (stillThere) throw new BlobDamaged(key, 'its manifest is missing', { cause: error });
    return null;
  }
}

function parseManifest(key: string, text: Buffer): Manifest {
  try {
    const manifest = JSON.parse(text.toString()) as Manifest;
    if (manifest.format === 1) return manifest;
  } catch (error) {
    throw new BlobDamaged(key, 'its manifest is not readable', { cause: error });
  }
  throw new BlobDamaged(key, 'its manifest has an unknown format');
}

async function readWhole(disk: Disk, path: string): Promise<Buffer> {
  const file = await disk.open(path, 'read');
  try {
    const bytes = Buffer.alloc(await file.size());
    for (let at = 0; at < bytes.length;) {
      const read = await file.read(bytes.subarray(at), at);
      if (read === 0) break;
      at += read;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** Opens one of the files of a blob. */
export async function openSegment(disk: Disk, key: string, name: string): Promise<DiskFile> {
  return disk.open(name, 'read').catch((error: unknown) => {
    if (isMissing(error)) throw new BlobDamaged(key, `segment ${name} is missing`, { cause: error });
    if (isLink(error)) throw new BlobDamaged(key, `segment ${name} is a link`, { cause: error });
    throw error;
  });
}

export function readFileSlices(disk: Disk, key: string): ReadSlice {
  return async function* ({ name, start, length }) {
    const file = await openSegment(disk, key, name);
    try {
      const end = start + length;
      for (let at = start; at < end;) {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkSize, end - at));
        const read = await file.read(chunk, at);
        if (read === 0) return; // shorter than it should be: the stream detects that
        at += read;
        yield read === chunk.length ? chunk : chunk.subarray(0, read);
      }
    } finally {
      await file.close();
    }
  };
}
