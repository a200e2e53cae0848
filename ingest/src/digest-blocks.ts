import { createHash } from 'node:crypto';

// Has no dependencies: hashing threads load this file, and must start quickly.

export const SHA1_BYTES = 20;
export const SHA256_BYTES = 32;
/** For each block: the raw SHA-1 digest, followed by the raw SHA-256 digest. */
export const DIGEST_BYTES = SHA1_BYTES + SHA256_BYTES;

/** The digests of all blocks of `bytes`; the last block may be shorter. */
export function digestBlocks(bytes: Uint8Array, block: number): Uint8Array {
  const digests = new Uint8Array(Math.ceil(bytes.byteLength / block) * DIGEST_BYTES);
  for (let from = 0, at = 0; from < bytes.byteLength; from += block, at += DIGEST_BYTES) {
    const piece = bytes.subarray(from, from + block);
    digests.set(createHash('sha1').update(piece).digest(), at);
    digests.set(createHash('sha256').update(piece).digest(), at + SHA1_BYTES);
  }
  return digests;
}
