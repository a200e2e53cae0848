import type { Staging } from '@bowerbird/storage';
import type { HashedPart } from './content-hash.ts';
import { SMALL_BYTES, type DigestReply, type Digests, type SummedFile } from './digest-pool.ts';
import type { PieceMemory } from './piece-memory.ts';

const MIB = 1024 * 1024;
/** Number of pieces that are hashed while the next one is gathered and the previous one is written. */
const LOOK_AHEAD = 1;

/** Information that hashing needs in addition to the bytes. */
export interface Hashing {
  readonly digests: Digests;
  readonly memory: PieceMemory;
}

export interface LandedPart extends HashedPart {
  readonly number: number;
  /** The version that the storage assigned to this write. */
  readonly version: string;
}

export interface Landing {
  readonly number: number;
  readonly source: AsyncIterable<Uint8Array>;
  /** Exact size in bytes, if known. */
  readonly size: number | undefined;
  readonly maxSize: number;
  /** Size of the whole file in bytes, and its block size. */
  readonly total: number;
  readonly block: number;
  /** Probable start of the part in the file; undefined if there is no indication. */
  readonly position: number | undefined;
  /** Gets all bytes of the part, for checksums of a file whose parts arrive in order. */
  readonly summed?: SummedFile | undefined;
  /** Called with what was received once the source has ended, even if the storage rejects it. */
  readonly came?: ((part: HashedPart) => void) | undefined;
}

/**
 * Gathers small chunks into pieces that end at block boundaries: large enough to be worth a write, and in memory of
 * their own, so that they can be transferred to a hashing thread.
 */
export async function* gather(
  source: AsyncIterable<Uint8Array>,
  memory: PieceMemory,
  { position, block, size }: { position: number; block: number; size: number | undefined },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const pieceSize = Math.max(block, MIB);
  let at = position;
  let piece: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  const begin = (): Uint8Array<ArrayBuffer> => {
    const toBoundary = at % block === 0 ? pieceSize : block - (at % block);
    const left = size === undefined ? toBoundary : size - (at - position);
    // More bytes than announced are still passed on, so that the storage can refuse them.
    return memory.take(Math.min(toBoundary, left > 0 ? left : SMALL_BYTES));
  };
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.byteLength;) {
      piece ??= begin();
      const count = Math.min(chunk.byteLength - taken, piece.byteLength - filled);
      piece.set(chunk.subarray(taken, taken + count), filled);
      taken += count;
      filled += count;
      if (filled < piece.byteLength) continue;
      at += filled;
      yield piece;
      piece = undefined;
      filled = 0;
    }
  }
  if (piece) yield piece.subarray(0, filled);
}

/** Writes a part while hashing its blocks. Rejects as {@link Staging.writePart} does; none of the bytes count then. */
export async function landPart(
  staging: Staging,
  landing: Landing,
  { digests, memory }: Hashing,
): Promise<LandedPart> {
  const { number, source, size, maxSize, total, block, position, came, summed } = landing;
  const found: Uint8Array[] = [];

  async function hash(piece: Uint8Array<ArrayBuffer>, from: number): Promise<DigestReply> {
    const { byteLength } = piece;
    // The last block of the file is shorter; a part may begin or end within a block.
    const rest = from + byteLength === total ? 0 : byteLength % block;
    const isHashed = position !== undefined && from % block === 0;
    return digests.of(piece, isHashed ? byteLength - rest : 0, block, summed);
  }

  async function* hashed(): AsyncGenerator<Uint8Array, void, undefined> {
    const waiting: Promise<DigestReply>[] = [];
    const next = async (): Promise<Uint8Array> => {
      const reply = await waiting.shift()!;
      found.push(reply.digests);
      return reply.bytes;
    };
    let at = position ?? 0;
    for await (const piece of gather(source, memory, { position: at, block, size })) {
      const { byteLength } = piece;
      const hashing = hash(piece, at);
      hashing.catch(() => {}); // thrown where it is awaited
      waiting.push(hashing);
      at += byteLength;
      if (waiting.length > LOOK_AHEAD) yield await next();
    }
    while (waiting.length > 0) yield await next();
    came?.({ size: at - (position ?? 0), position, digests: Buffer.concat(found) });
  }

  const written = await staging.writePart(number, hashed(), {
    size,
    maxSize,
    spent: ({ buffer }) => memory.giveBack(buffer),
  });
  return { number, position, size: written.size, version: written.version, digests: Buffer.concat(found) };
}
