import type { Staging } from '@bowerbird/storage';
import type { HashedPart } from './content-hash.ts';
import { SMALL_BYTES, type Digests } from './digest-pool.ts';

const MIB = 1024 * 1024;
/** Pieces that may wait for their digests while the next one is gathered: what one part holds in memory. */
const LOOK_AHEAD = 3;

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
}

/**
 * Gathers small chunks into pieces that are cut at the file's blocks: large enough to be worth a write, and in memory
 * that a hashing thread sees too.
 */
export async function* gather(
  source: AsyncIterable<Uint8Array>,
  { position, block, size }: { position: number; block: number; size: number | undefined },
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieceSize = Math.max(block, MIB);
  let at = position;
  let piece: Uint8Array | undefined;
  let filled = 0;
  const begin = (): Uint8Array => {
    const toBoundary = at % block === 0 ? pieceSize : block - (at % block);
    const left = size === undefined ? toBoundary : Math.max(size - (at - position), SMALL_BYTES);
    return memory(Math.min(toBoundary, left));
  };
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.byteLength; ) {
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

function memory(size: number): Uint8Array {
  return size <= SMALL_BYTES ? Buffer.allocUnsafeSlow(size) : Buffer.from(new SharedArrayBuffer(size));
}

/** Writes a part while its blocks are hashed. Rejects as {@link Staging.writePart} does; nothing of it counts then. */
export async function landPart(staging: Staging, landing: Landing, digests: Digests): Promise<LandedPart> {
  const { number, source, size, maxSize, total, block, position } = landing;
  const hashing: Promise<Uint8Array>[] = [];

  async function* hashed(): AsyncGenerator<Uint8Array, void, undefined> {
    let at = position ?? 0;
    for await (const piece of gather(source, { position: at, block, size })) {
      const isBlock = position !== undefined && at % block === 0;
      at += piece.byteLength;
      // The file's last block is shorter; a part's last bytes are only the beginning of one.
      const whole = at === total ? piece.byteLength : piece.byteLength - (piece.byteLength % block);
      if (isBlock && whole > 0) {
        const digest = digests.of(piece.subarray(0, whole), block);
        digest.catch(() => {}); // thrown where it is awaited
        hashing.push(digest);
      }
      yield piece;
      await hashing.at(-LOOK_AHEAD);
    }
  }

  const written = await staging.writePart(number, hashed(), { size, maxSize });
  return { number, position, size: written.size, version: written.version, digests: Buffer.concat(await Promise.all(hashing)) };
}
