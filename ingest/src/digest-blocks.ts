import { createHash } from 'node:crypto';

// Stands on its own: hashing threads load this, and start at once.

export const SHA1_BYTES = 20;
export const SHA256_BYTES = 32;
/** Of one block: the raw SHA-1 digest, then the raw SHA-256 digest. */
export const DIGEST_BYTES = SHA1_BYTES + SHA256_BYTES;

/** The digests of every whole block of `bytes`, and of the shorter rest as one block more. */
export function digestBlocks(bytes: Uint8Array, block: number): Uint8Array {
  const digests = new Uint8Array(Math.ceil(bytes.byteLength / block) * DIGEST_BYTES);
  for (let from = 0, at = 0; from < bytes.byteLength; from += block, at += DIGEST_BYTES) {
    const piece = bytes.subarray(from, from + block);
    digests.set(createHash('sha1').update(piece).digest(), at);
    digests.set(createHash('sha256').update(piece).digest(), at + SHA1_BYTES);
  }
  return digests;
}
