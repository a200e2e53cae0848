import { createHash } from 'node:crypto';
import { gcidBlockSize } from '@bowerbird/contract';
import { DIGEST_BYTES, SHA1_BYTES, SHA256_BYTES } from './digest-blocks.ts';

/** The identifiers of a file's content; see docs/formats.md. */
export interface Content {
  /** Lower-case hex of the SHA-256 over the raw SHA-256 digests of the blocks. */
  readonly hash: string;
  /** Upper-case hex of the SHA-1 over the raw SHA-1 digests of the blocks. */
  readonly gcid: string;
}

/** Part of a file whose blocks were hashed as it arrived, on the assumption that it begins at `position`. */
export interface HashedPart {
  readonly size: number;
  /** Undefined if no position could be assumed; nothing was hashed then. */
  readonly position: number | undefined;
  /** Digests of the blocks that lie completely within the part, in order. */
  readonly digests: Uint8Array;
}

/** A byte range `[start, end)`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The digests of a file's blocks, as far as they are known. */
export interface BlockTable {
  readonly size: number;
  readonly block: number;
  /** Ranges of whole blocks that have not been hashed yet: those split between parts, and those of misplaced parts. */
  missing(): ByteRange[];
  /** Sets the digests of consecutive blocks; `start` is the offset of the first. */
  fill(start: number, digests: Uint8Array): void;
  /** Throws if any blocks are still missing. */
  content(): Content;
}

/** Combines parts in order; the digests of parts whose position differs from the assumed one are ignored. */
export function assembleBlocks(parts: Iterable<HashedPart>): BlockTable {
  const list = [...parts];
  const size = list.reduce((sum, part) => sum + part.size, 0);
  const block = gcidBlockSize(size);
  const count = Math.ceil(size / block);
  const sha1 = new Uint8Array(count * SHA1_BYTES);
  const sha256 = new Uint8Array(count * SHA256_BYTES);
  const known = new Uint8Array(count);

  const fill = (start: number, digests: Uint8Array): void => {
    let index = start / block;
    for (let at = 0; at < digests.byteLength; at += DIGEST_BYTES, index += 1) {
      sha1.set(digests.subarray(at, at + SHA1_BYTES), index * SHA1_BYTES);
      sha256.set(digests.subarray(at + SHA1_BYTES, at + DIGEST_BYTES), index * SHA256_BYTES);
      known[index] = 1;
    }
  };

  let position = 0;
  for (const part of list) {
    if (part.position === position) fill(Math.ceil(position / block) * block, part.digests);
    position += part.size;
  }

  return {
    size,
    block,
    fill,
    missing() {
      const ranges: ByteRange[] = [];
      for (let from = known.indexOf(0); from >= 0;) {
        const next = known.indexOf(1, from);
        const to = next < 0 ? count : next;
        ranges.push({ start: from * block, end: Math.min(to * block, size) });
        from = next < 0 ? -1 : known.indexOf(0, next);
      }
      return ranges;
    },
    content() {
      if (known.includes(0)) throw new Error('Blocks are missing');
      return {
        hash: createHash('sha256').update(sha256).digest('hex'),
        gcid: createHash('sha1').update(sha1).digest('hex').toUpperCase(),
      };
    },
  };
}
