import { chunkSize } from './byte-stream.ts';
import type { DiskFile } from './disk.ts';

// Small chunks are collected, because each write costs a trip to another thread.
const mostChunks = 512;
// Data is flushed to the disk while more arrives, so that the flush at the end has little left to do. Clients send parts
// of 5 to 25 MiB, and wait for the end of each.
const flushEvery = 8 * chunkSize;

/**
 * Writes a flow to a new file and flushes it; returns the size in bytes. Reading, writing and flushing overlap.
 * `spent` is called with each chunk that has been written.
 */
export async function writeFlow(
  file: DiskFile,
  flow: AsyncIterable<Uint8Array>,
  spent?: (chunk: Uint8Array) => void,
): Promise<number> {
  let position = 0;
  let batch: Uint8Array[] = [];
  let batchSize = 0;
  let unflushed = 0;
  let writing = Promise.resolve();
  let flushing: Promise<void> | undefined;
  let flushFailure: { error: unknown } | undefined;

  const flushBehind = () => {
    unflushed = 0;
    flushing = file.sync().then(
      () => (flushing = undefined),
      // A disk reports a lost write only once, so the error must be remembered.
      (error: unknown) => void (flushFailure = { error }),
    );
  };

  const writeBatch = async () => {
    await writing;
    if (flushFailure) throw flushFailure.error;
    if (unflushed >= flushEvery && !flushing) flushBehind();
    const chunks = batch;
    writing = writeFully(file, chunks, position).then(() => spent && chunks.forEach((chunk) => spent(chunk)));
    writing.catch(() => {}); // thrown where it is awaited next
    position += batchSize;
    unflushed += batchSize;
    batch = [];
    batchSize = 0;
  };

  try {
    for await (const chunk of flow) {
      batch.push(chunk);
      batchSize += chunk.byteLength;
      if (batchSize >= chunkSize || batch.length >= mostChunks) await writeBatch();
    }
    if (batch.length > 0) await writeBatch();
    await writing;
  } finally {
    // The file must not be closed during a write.
    await Promise.allSettled([writing, flushing]);
  }
  if (flushFailure) throw flushFailure.error;
  await file.sync();
  return position;
}

async function writeFully(file: DiskFile, chunks: readonly Uint8Array[], position: number): Promise<void> {
  let left = chunks;
  for (;;) {
    const size = left.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    if (size === 0) return;
    // A disk that is filling up writes fewer bytes, and only reports the reason on the next attempt.
    const written = await file.write(left, position);
    if (written === size) return;
    position += written;
    left = withoutFirst(left, written);
  }
}

function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (bytes >= chunk.byteLength) bytes -= chunk.byteLength;
    else {
      rest.push(chunk.subarray(bytes));
      bytes = 0;
    }
  }
  return rest;
}
