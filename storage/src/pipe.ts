import type { Readable } from 'node:stream';
import { BlobDamaged } from './storage-errors.ts';
import type { Slice } from './byte-stream.ts';
import type { Disk, DiskFile } from './disk.ts';
import { openSegment } from './local-blobs.ts';

export type Sink = (chunk: Uint8Array) => Promise<void>;

/**
 * Each read costs a trip to another thread, so a fast reader gets large buffers; a slow one, of which there may be many,
 * keeps the small ones. Reused memory costs half as much as fresh memory, because the system must clear each fresh page.
 */
const smallestBuffer = 256 * 1024;
const largestBuffer = 2 * 1024 * 1024;
/** A reader that takes a buffer in this time gets one of twice the size next. */
const fastMs = 20;

/** Sends slices of files to a sink: while the sink uses one buffer, the disk fills the other. */
export async function pipeFiles(
  disk: Disk,
  key: string,
  slices: readonly Slice[],
  sink: Sink,
): Promise<void> {
  const largest = Math.min(
    largestBuffer,
    slices.reduce((most, { length }) => Math.max(most, length), 0),
  );
  const reader = readAlong(disk, key, slices);
  const buffers: [Buffer | undefined, Buffer | undefined] = [undefined, undefined];
  let size = Math.min(smallestBuffer, largest);
  let turn: 0 | 1 = 0;
  const fill = (): Promise<Uint8Array | undefined> => {
    const last = buffers[turn];
    const buffer = last && last.length >= size ? last : Buffer.allocUnsafeSlow(size);
    buffers[turn] = buffer;
    turn = turn === 0 ? 1 : 0;
    return reader.fill(buffer);
  };
  let ahead = fill();
  try {
    for (let chunk = await ahead; chunk; chunk = await ahead) {
      ahead = fill();
      // Keeps the first error; without this handler the rejected prefetch would count as unhandled.
      ahead.catch(() => {});
      const started = performance.now();
      await sink(chunk);
      if (performance.now() - started < fastMs) size = Math.min(2 * size, largest);
    }
  } finally {
    await ahead.catch(() => {});
    await reader.close();
  }
}

/** Sends a stream to a sink; readers own its chunks anyway. */
export async function pipeStream(stream: Readable, sink: Sink): Promise<void> {
  for await (const chunk of stream) await sink(chunk as Uint8Array);
}

/** Reads the slices in order into the caller's buffers; returns undefined at the end. */
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
