import { hash as hashOf } from 'node:crypto';
import { CID_WHOLE, cidWindows, gcidBlockSize } from '@bowerbird/contract';
import type { Checksums } from './checksums.ts';
import type { Content } from './content-hash.ts';
import { SHA1_BYTES, SHA256_BYTES } from './digest-blocks.ts';

/** Files up to this size consist of one block, and are hashed in memory before they are written. */
export const SMALL_FILE = gcidBlockSize(0);

/** The identifiers and checksums of a small file. Takes a millisecond for the largest. */
export function identifySmall(bytes: Uint8Array): Content & { cid: string; checksums: Checksums } {
  if (bytes.byteLength > SMALL_FILE) throw new RangeError('Not a small file');
  const sha1 = hashOf('sha1', bytes, 'buffer');
  const sha256 = hashOf('sha256', bytes, 'buffer');
  // An empty file has no blocks.
  const blocks = bytes.byteLength === 0 ? 0 : 1;
  return {
    hash: hashOf('sha256', sha256.subarray(0, blocks * SHA256_BYTES)),
    gcid: hashOf('sha1', sha1.subarray(0, blocks * SHA1_BYTES)).toUpperCase(),
    cid: cidOf(bytes, sha1).toUpperCase(),
    checksums: { sha1: sha1.toString('hex'), md5: hashOf('md5', bytes) },
  };
}

function cidOf(bytes: Uint8Array, sha1: Buffer): string {
  const { byteLength: size } = bytes;
  if (size <= CID_WHOLE) return sha1.toString('hex');
  return hashOf('sha1', Buffer.concat(cidWindows(size).map(([start, end]) => bytes.subarray(start, end))));
}
