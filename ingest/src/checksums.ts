import { createHash } from 'node:crypto';

// Has no dependencies: hashing threads load this file, and must start quickly.

/**
 * Checksums by which other programs identify a file's content, in lower-case hex. Unlike block digests, they need the
 * bytes in order.
 */
export interface Checksums {
  readonly sha1: string;
  readonly md5: string;
}

/** Computes the checksums of bytes that arrive in order. */
export interface Summing {
  add(bytes: Uint8Array): void;
  end(): Checksums;
}

export function createSumming(): Summing {
  const sha1 = createHash('sha1');
  const md5 = createHash('md5');
  return {
    add(bytes) {
      sha1.update(bytes);
      md5.update(bytes);
    },
    end: () => ({ sha1: sha1.digest('hex'), md5: md5.digest('hex') }),
  };
}
