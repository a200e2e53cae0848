import type { Staging } from '@bowerbird/storage';
import type { HashedPart } from './content-hash.ts';
import { SMALL_BYTES, type DigestReply, type Digests, type SummedFile } from './digest-pool.ts';
import type { PieceMemory } from './piece-memory.ts';

const MIB = 1024 * 1024;
/** Pieces that are hashed while the next one is gathered and the one before is written. */
const LOOK_AHEAD = 1;

/** What hashing needs beside the bytes. */
export interface Hashing {
  readonly digests: Digests;
  readonly memory: PieceMemory;
}

export interface LandedPart extends HashedPart {
  readonly number: number;
  /** As the storage named this very write. */
  readonly version: string;
}

export interface Landing {
  readonly number: number;
  readonly source: AsyncIterable<Uint8Array>;
  /** Exact, where it is known. */
  readonly size: number | undefined;
  readonly maxSize: number;
  /** Size of the whole file, and by what blocks it is hashed. */
  readonly total: number;
  readonly block: number;
  /** Where the part probably begins in the file; undefined where nothing speaks for any place. */
  readonly position: number | undefined;
  /** Gets all bytes of the part, for checksums of a file whose parts land one after the other. */
  readonly summed?: SummedFile | undefined;
  /** Told what came when the source has ended, whether or not the storage takes it. */
  readonly came?: ((part: HashedPart) => void) | undefined;
}

/**
 * Gathers small chunks into pieces that are cut at the file's blocks: large enough to be worth a write, and in memory of
 * their own, so that it can go to a hashing thread.
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
    // More than was announced is refused by the storage, which has to see it for that.
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

/** Writes a part while its blocks are hashed. Rejects as {@link Staging.writePart} does; nothing of it counts then. */
export async function landPart(
  staging: Staging,
  landing: Landing,
  { digests, memory }: Hashing,
): Promise<LandedPart> {
  const { number, source, size, maxSize, total, block, position, came, summed } = landing;
  const found: Uint8Array[] = [];

  async function hash(piece: Uint8Array<ArrayBuffer>, from: number): Promise<DigestReply> {
    const { byteLength } = piece;
    // The file's last block is shorter; a part's first and last bytes may be only the rest, or the beginning, of one.
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
