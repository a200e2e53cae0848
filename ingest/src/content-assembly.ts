import { createHash } from 'node:crypto';
import { cidWindows, gcidBlockSize } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import {
  assembleBlocks,
  type BlockTable,
  type Content,
  type HashedPart,
  type ByteRange,
} from './content-hash.ts';
import type { Checksums } from './checksums.ts';
import { gather, type Hashing } from './landing.ts';

const MIB = 2 ** 20;
/** Number of ranges that are read back in parallel. */
const AT_ONCE = 8;

/**
 * The identifiers of kept bytes. Reads back only the blocks that were not hashed as they arrived, and the windows of
 * the cid.
 */
export async function identifyKept(
  storage: BlobStore,
  key: string,
  parts: Iterable<HashedPart>,
  hashing: Hashing,
): Promise<Content & { cid: string }> {
  const table = assembleBlocks(parts);
  const missing = table.missing();
  for (let next = 0; next < missing.length; next += AT_ONCE) {
    await Promise.all(
      missing.slice(next, next + AT_ONCE).map((range) => hashRange(storage, key, table, range, hashing)),
    );
  }
  return { ...table.content(), cid: await cidOf(storage, key, table.size) };
}

/**
 * Hashes a whole file that is not stored. Stops early if it is longer than announced, which the returned size shows.
 */
export async function digestsOf(
  source: AsyncIterable<Uint8Array>,
  announced: number,
  { digests, memory }: Hashing,
): Promise<HashedPart> {
  const block = gcidBlockSize(announced);
  const found: Uint8Array[] = [];
  let size = 0;
  for await (const piece of gather(source, memory, { position: 0, block, size: announced })) {
    size += piece.byteLength;
    if (size > announced) break;
    const reply = await digests.of(piece, piece.byteLength, block);
    found.push(reply.digests);
    memory.giveBack(reply.bytes.buffer);
  }
  return { size, position: 0, digests: Buffer.concat(found) };
}

/** Reads kept bytes again to compute their checksums, one piece at a time; `pause` is called after each piece. */
export async function checksumsOf(
  storage: BlobStore,
  key: string,
  { digests, memory }: Hashing,
  pause: () => Promise<void>,
): Promise<Checksums> {
  const summed = digests.summed();
  try {
    const { stream, size } = await storage.open(key);
    for await (const piece of gather(stream, memory, { position: 0, block: MIB, size })) {
      const { bytes } = await digests.of(piece, 0, MIB, summed);
      memory.giveBack(bytes.buffer);
      await pause();
    }
    return await summed.end();
  } catch (error) {
    summed.drop();
    throw error;
  }
}

async function hashRange(
  storage: BlobStore,
  key: string,
  table: BlockTable,
  { start, end }: ByteRange,
  { digests, memory }: Hashing,
): Promise<void> {
  const { stream } = await storage.open(key, { start, end: end - 1 });
  let at = start;
  for await (const piece of gather(stream, memory, {
    position: start,
    block: table.block,
    size: end - start,
  })) {
    const { byteLength } = piece;
    const reply = await digests.of(piece, byteLength, table.block);
    table.fill(at, reply.digests);
    memory.giveBack(reply.bytes.buffer);
    at += byteLength;
  }
}

async function cidOf(storage: BlobStore, key: string, size: number): Promise<string> {
  const hash = createHash('sha1');
  for (const [start, end] of cidWindows(size)) {
    if (start === end) continue;
    const { stream } = await storage.open(key, { start, end: end - 1 });
    for await (const chunk of stream) hash.update(chunk as Uint8Array);
  }
  return hash.digest('hex').toUpperCase();
}
