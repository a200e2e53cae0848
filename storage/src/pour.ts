import type { Readable } from 'node:stream';
import { BlobDamaged } from './storage-errors.ts';
import type { Slice } from './byte-stream.ts';
import type { Disk, DiskFile } from './disk.ts';
import { openSegment } from './local-blobs.ts';

export type Sink = (chunk: Uint8Array) => Promise<void>;

/**
 * Small enough that what was just read is still in the processor's cache when it is sent. Memory that is used again
 * costs half of what fresh memory does, because the system must clear every fresh page.
 */
const pouredSize = 512 * 1024;

/** Pours slices of files: while the sink has one buffer, the disk fills the other. */
export async function pourFiles(
  disk: Disk,
  key: string,
  slices: readonly Slice[],
  sink: Sink,
): Promise<void> {
  const largest = slices.reduce((most, { length }) => Math.max(most, length), 0);
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(pouredSize, largest)));
  const reader = readAlong(disk, key, slices);
  let turn = 0;
  let ahead = reader.fill(buffers[0]!);
  try {
    for (let chunk = await ahead; chunk; chunk = await ahead) {
      turn = 1 - turn;
      ahead = reader.fill(buffers[turn]!);
      // Whoever fails first says why; the other's failure must not go unheard of either.
      ahead.catch(() => {});
      await sink(chunk);
    }
  } finally {
    await ahead.catch(() => {});
    await reader.close();
  }
}

/** Pours a stream, whose chunks belong to the reader anyway. */
export async function pourStream(stream: Readable, sink: Sink): Promise<void> {
  for await (const chunk of stream) await sink(chunk as Uint8Array);
}

/** Reads slices one after the other into memory that is handed to it; undefined at the end. */
function readAlong(disk: Disk, key: string, slices: readonly Slice[]) {
  let index = 0;
  let done = 0;
  let file: DiskFile | undefined;

  async function close(): Promise<void> {
    const open = file;
    file = undefined;
    await open?.close();
  }

  async function fill(buffer: Buffer): Promise<Uint8Array | undefined> {
    const slice = slices[index];
    if (!slice) return undefined;
    file ??= await openSegment(disk, key, slice.name);
    const wanted = Math.min(buffer.length, slice.length - done);
    const read = await file.read(
      wanted === buffer.length ? buffer : buffer.subarray(0, wanted),
      slice.start + done,
    );
    if (read === 0) throw new BlobDamaged(key, `segment ${slice.name} lacks ${slice.length - done} bytes`);
    done += read;
    if (done === slice.length) {
      await close();
      index += 1;
      done = 0;
    }
    return buffer.subarray(0, read);
  }

  return { fill, close };
}
