import { createCipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { BadArchive, WrongPassword } from './archive-items.ts';
import type { ZipItem } from './zip-directory.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Reads exactly `length` bytes from the front of a source; the rest stays readable. */
async function splitAt(source: Bytes, length: number): Promise<{ head: Buffer; rest: Bytes }> {
  const chunks = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  while (held.length < length) {
    const { done, value } = await chunks.next();
    if (done) throw new BadArchive('an entry is truncated');
    held = Buffer.concat([held, value as Uint8Array]);
  }
  async function* rest(): AsyncGenerator<Uint8Array, void, undefined> {
    if (held.length > length) yield held.subarray(length);
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return;
      yield value as Uint8Array;
    }
  }
  return { head: held.subarray(0, length), rest: rest() };
}

const CLASSIC_HEAD = 12;

/** The lookup table of CRC-32: one step for each value of a byte. */
const TABLE = Uint32Array.from(
  { length: 256 },
  (_, byte) => (crc32(Buffer.from([255 ^ byte])) ^ 0xff000000) >>> 0,
);
const step = (sum: number, byte: number): number => (TABLE[(sum ^ byte) & 255]! ^ (sum >>> 8)) >>> 0;

/** Decrypts the traditional zip cipher, which is weak. Throws {@link WrongPassword}. */
export async function openClassic(source: Bytes, password: Buffer, { checkByte }: ZipItem): Promise<Bytes> {
  let [a, b, c] = [0x12345678, 0x23456789, 0x34567890];
  const advance = (byte: number): void => {
    a = step(a, byte);
    b = (Math.imul((b + (a & 255)) >>> 0, 134_775_813) + 1) >>> 0;
    c = step(c, b >>> 24);
  };
  const open = (chunk: Uint8Array): Buffer => {
    const plain = Buffer.alloc(chunk.length);
    for (let at = 0; at < chunk.length; at++) {
      const mask = (c | 2) & 0xffff;
      plain[at] = chunk[at]! ^ ((Math.imul(mask, mask ^ 1) >>> 8) & 255);
      advance(plain[at]!);
    }
    return plain;
  };
  for (const byte of password) advance(byte);
  const { head, rest } = await splitAt(source, CLASSIC_HEAD);
  if (open(head)[CLASSIC_HEAD - 1] !== checkByte) throw new WrongPassword();
  return (async function* () {
    for await (const chunk of rest) yield open(chunk);
  })();
}

const VERIFIER = 2;
const SEAL = 10;
const ROUNDS = 1000;
const BLOCK = 16;

/**
 * Decrypts AES in WinZip's format, and verifies its authentication code at the end. Throws
 * {@link WrongPassword}, and {@link BadArchive} for a wrong code.
 */
export async function openAes(source: Bytes, password: Buffer, { aes, packedSize }: ZipItem): Promise<Bytes> {
  const strength = aes?.strength ?? 0;
  if (strength < 1 || strength > 3) throw new BadArchive('its cipher is unknown');
  const keyLength = 8 + 8 * strength;
  const saltLength = keyLength / 2;
  const left = packedSize - saltLength - VERIFIER - SEAL;
  if (left < 0) throw new BadArchive('an entry is truncated');
  const { head, rest } = await splitAt(source, saltLength + VERIFIER);
  const keys = await promisify(pbkdf2)(
    password,
    head.subarray(0, saltLength),
    ROUNDS,
    2 * keyLength + VERIFIER,
    'sha1',
  );
  if (!timingSafeEqual(keys.subarray(-VERIFIER), head.subarray(saltLength))) throw new WrongPassword();
  const cipher = createCipheriv(`aes-${keyLength * 8}-ecb`, keys.subarray(0, keyLength), null);
  cipher.setAutoPadding(false);
  const seal = createHmac('sha1', keys.subarray(keyLength, 2 * keyLength));

  let counter = 0;
  let stream = Buffer.alloc(0);
  /** The counter is little-endian, unlike in any built-in mode. */
  const mask = (length: number): Buffer => {
    const missing = Math.ceil(Math.max(0, length - stream.length) / BLOCK);
    const blocks = Buffer.alloc(missing * BLOCK);
    for (let at = 0; at < missing; at++) blocks.writeUInt32LE(++counter >>> 0, at * BLOCK);
    stream = Buffer.concat([stream, cipher.update(blocks)]);
    const taken = stream.subarray(0, length);
    stream = stream.subarray(length);
    return taken;
  };

  return (async function* () {
    let toCome = left;
    let stated = Buffer.alloc(0);
    for await (const chunk of rest) {
      const sealed = Buffer.from(chunk.subarray(0, toCome));
      if (chunk.length > toCome) stated = Buffer.concat([stated, chunk.subarray(toCome)]);
      toCome -= sealed.length;
      if (sealed.length === 0) continue;
      seal.update(sealed);
      const over = mask(sealed.length);
      for (let at = 0; at < sealed.length; at++) sealed[at]! ^= over[at]!;
      yield sealed;
    }
    const found = seal.digest().subarray(0, SEAL);
    if (toCome > 0 || stated.length !== SEAL || !timingSafeEqual(found, stated))
      throw new BadArchive('the authentication code of an entry is wrong');
  })();
}
