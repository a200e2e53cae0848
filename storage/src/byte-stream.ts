import { Readable } from 'node:stream';
import { BlobDamaged, RangeUnsatisfiable } from './storage-errors.ts';
import type { ByteRange } from './blob-store.ts';

/** A segment of immutable bytes: a whole blob, or one part of it. */
export interface Segment {
  readonly name: string;
  readonly size: number;
}

/** The requested bytes of a segment: `length` bytes from `start`. */
export interface Slice {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

/** Reads one slice; MUST release all resources when it returns, and soon after `stop` is aborted. */
export type ReadSlice = (slice: Slice, stop: AbortSignal) => AsyncIterable<Uint8Array>;

/**
 * Size of chunks where the engine can choose: smaller ones would not saturate a fast socket, larger ones would only
 * use more memory.
 */
export const chunkSize = 1024 * 1024;

/** The byte range of a blob of `size` that a request selects. Throws RangeUnsatisfiable. */
export function resolveRange(size: number, range: ByteRange | undefined): { start: number; length: number } {
  if (!range) return { start: 0, length: size };
  const { start, end } = range;
  if (!(start >= 0 && start < size && end >= start)) throw new RangeUnsatisfiable(size);
  return { start, length: Math.min(end, size - 1) - start + 1 };
}

/** The slices of the segments that make up the range, in order. */
export function sliceSegments(segments: readonly Segment[], start: number, length: number): Slice[] {
  const slices: Slice[] = [];
  const end = start + length;
  let offset = 0;
  for (const { name, size } of segments) {
    const from = Math.max(start, offset);
    const to = Math.min(end, offset + size);
    if (from < to) slices.push({ name, start: from - offset, length: to - from });
    offset += size;
    if (offset >= end) break;
  }
  return slices;
}

/** A single stream over slices: exactly their bytes, or an error. Reads nothing before it is read from. */
export function streamSlices(key: string, slices: readonly Slice[], read: ReadSlice): Readable {
  const stop = new AbortController();
  let chunks: AsyncGenerator<Uint8Array, void, undefined> | undefined;
  return new Readable({
    // Buffers one chunk while the consumer works on another.
    highWaterMark: 2 * chunkSize,
    read() {
      chunks ??= readSlices(key, slices, read, stop.signal);
      chunks.next().then(
        ({ done, value }) => this.destroyed || this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      stop.abort();
      if (!chunks) return done(error);
      // The read in progress must end before the stream may report that it is closed.
      chunks.return().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

async function* readSlices(key: string, slices: readonly Slice[], read: ReadSlice, stop: AbortSignal) {
  for (const slice of slices) {
    let missing = slice.length;
    for await (const chunk of read(slice, stop)) {
      missing -= chunk.byteLength;
      if (missing < 0) throw new BlobDamaged(key, `segment ${slice.name} gave too much`);
      if (chunk.byteLength > 0) yield chunk;
    }
    if (missing > 0) throw new BlobDamaged(key, `segment ${slice.name} lacks ${missing} bytes`);
  }
}
