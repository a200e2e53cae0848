import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { Subscription } from './push.ts';

/** Size of the only record, in the header of the content: larger than any message. */
const RECORD_BYTES = 4096;
/** Messages are padded to this size, so that their length says nothing about names in them. */
const PADDED_BYTES = 1024;

/**
 * Encrypts a message for a browser (RFC 8291, with the content coding `aes128gcm` of RFC 8188). Longer messages than
 * 3 KB aren't accepted by push services.
 */
export function encrypted(text: string, { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const ecdh = createECDH('prime256v1');
  const ours = ecdh.generateKeys();
  const salt = randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = hkdfSync('sha256', ecdh.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const derived = (label: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${label}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  const plain = Buffer.from(text);
  // The delimiter of the last record, and padding.
  const padding = Buffer.alloc(Math.max(1, PADDED_BYTES - plain.length));
  padding[0] = 2;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([ours.length]),
    ours,
    cipher.update(plain),
    cipher.update(padding),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}
