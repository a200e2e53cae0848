import { createHash } from 'node:crypto';

// Stands on its own: hashing threads load this, and start at once.

/** What other programs know a file's content by, lower-case hex. Unlike block digests they need its bytes in order. */
export interface Checksums {
  readonly sha1: string;
  readonly md5: string;
}

/** Checksums of bytes that come one after the other. */
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
