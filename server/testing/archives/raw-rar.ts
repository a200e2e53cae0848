import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** An entry as it is written; correct unless fields override it. */
export interface RarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly isFolder?: boolean;
  /** Target of a link. */
  readonly link?: string;
  /** Overrides the true value in the header. */
  readonly size?: number;
  readonly checksum?: number;
  /** Version 5: declares the entry as compressed, with a window of 128 KiB × 2^windowLog. */
  readonly windowLog?: number;
}

export interface RarOptions {
  readonly password?: string;
  /** Encrypts the names too. */
  readonly sealed?: boolean;
  /** Comment on the archive. */
  readonly comment?: string;
}

const MOMENT = Date.UTC(2026, 10, 27, 5, 46, 16) / 1000;
const SALT = Buffer.from('a bower of berry').subarray(0, 16);
const VECTOR = Buffer.from('feathers & twigs').subarray(0, 16);
const ROUNDS_LOG = 5;

function vint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);

function lock(algorithm: string, key: Buffer, vector: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(padded(plain)), cipher.final()]);
}

function rar5Keys(password: string) {
  const rounds = 2 ** ROUNDS_LOG;
  const derive = (more: number) => pbkdf2Sync(password, SALT, rounds + more, 32, 'sha256');
  const check = Buffer.alloc(8);
  for (const [at, byte] of derive(32).entries()) check[at % 8]! ^= byte;
  const seal = createHash('sha256').update(check).digest().subarray(0, 4);
  return { key: derive(0), check: Buffer.concat([check, seal]) };
}

/** Builds a RAR of version 5, byte by byte according to its published format, with uncompressed entries. */
export function rawRar5(
  entries: readonly RarEntry[],
  { password, sealed = false, comment }: RarOptions = {},
): Buffer {
  const keys = password === undefined ? undefined : rar5Keys(password);
  const block = (isSealed: boolean, ...fields: Buffer[]): Buffer => {
    const body = Buffer.concat(fields);
    const counted = Buffer.concat([vint(body.length), body]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(counted));
    const whole = Buffer.concat([sum, counted]);
    return isSealed ? Buffer.concat([VECTOR, lock('aes-256-cbc', keys!.key, VECTOR, whole)]) : whole;
  };
  const parts: Buffer[] = [Buffer.from('526172211a070100', 'hex')];
  if (sealed)
    parts.push(block(false, vint(4), vint(0), vint(0), vint(1), vint(ROUNDS_LOG), SALT, keys!.check));
  parts.push(block(sealed, vint(1), vint(0), vint(0)));
  if (comment !== undefined) {
    const remark = Buffer.from(comment);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(remark));
    const fields = [3, 2, remark.length, 4, remark.length, 0].map(vint);
    parts.push(block(sealed, ...fields, sum, vint(0), vint(1), vint(3), Buffer.from('CMT')), remark);
  }
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? '') as string);
    const isLocked = keys !== undefined && content.length > 0;
    const packed = isLocked ? lock('aes-256-cbc', keys.key, VECTOR, content) : content;
    const extras: Buffer[] = [];
    const extra = (...fields: Buffer[]) => {
      const record = Buffer.concat(fields);
      extras.push(vint(record.length), record);
    };
    if (isLocked) extra(vint(1), vint(0), vint(1), Buffer.from([ROUNDS_LOG]), SALT, VECTOR, keys.check);
    if (entry.link !== undefined)
      extra(vint(5), vint(1), vint(0), vint(Buffer.byteLength(entry.link)), Buffer.from(entry.link));
    const extraArea = Buffer.concat(extras);
    const moments = Buffer.alloc(8);
    moments.writeUInt32LE(MOMENT, 0);
    moments.writeUInt32LE(entry.checksum ?? crc32(content), 4);
    const head: Buffer[] = [vint(2), vint((extraArea.length > 0 ? 1 : 0) | 2)];
    if (extraArea.length > 0) head.push(vint(extraArea.length));
    head.push(
      vint(packed.length),
      vint((entry.isFolder ? 1 : 0) | 2 | 4),
      vint(entry.size ?? content.length),
      vint(entry.isFolder ? 0o40755 : 0o100644),
      moments,
      vint(entry.windowLog === undefined ? 0 : (entry.windowLog << 10) | (1 << 7)),
      vint(1),
      vint(name.length),
      name,
      extraArea,
    );
    parts.push(block(sealed, ...head), packed);
  }
  return Buffer.concat([...parts, block(sealed, vint(5), vint(0), vint(0))]);
}

function rar4Keys(password: string, salt: Buffer): { key: Buffer; vector: Buffer } {
  const seed = Buffer.concat([Buffer.from(password, 'utf16le'), salt]);
  const [rounds, turn] = [0x40000, 0x4000];
  const vector = Buffer.alloc(16);
  const hash = createHash('sha1');
  const step = Buffer.concat([seed, Buffer.alloc(3)]);
  for (let round = 0; round < rounds; round++) {
    step.writeUIntLE(round, seed.length, 3);
    hash.update(step);
    if (round % turn === 0) vector[round / turn] = hash.copy().digest()[19]!;
  }
  return { key: hash.digest().subarray(0, 16).swap32(), vector };
}

/** Builds a RAR of version 4, whose names can be in any encoding. */
export function rawRar4(entries: readonly RarEntry[], { password }: RarOptions = {}): Buffer {
  const salt = SALT.subarray(0, 8);
  const keys = password === undefined ? undefined : rar4Keys(password, salt);
  const block = (body: Buffer): Buffer => {
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(crc32(body) & 0xffff);
    return Buffer.concat([sum, body]);
  };
  const short = (type: number, flags: number, more = 0): Buffer => {
    const body = Buffer.alloc(5 + more);
    body.writeUInt8(type, 0);
    body.writeUInt16LE(flags, 1);
    body.writeUInt16LE(7 + more, 3);
    return block(body);
  };
  const parts: Buffer[] = [Buffer.from('526172211a0700', 'hex'), short(0x73, 0, 6)];
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? entry.link ?? '') as string);
    const isLocked = keys !== undefined && content.length > 0;
    const packed = isLocked ? lock('aes-128-cbc', keys.key, keys.vector, content) : content;
    const body = Buffer.alloc(30);
    body.writeUInt8(0x74, 0);
    body.writeUInt16LE(0x8000 | (isLocked ? 0x404 : 0) | (entry.isFolder ? 0xe0 : 0), 1);
    body.writeUInt16LE(32 + name.length + (isLocked ? salt.length : 0), 3);
    body.writeUInt32LE(packed.length, 5);
    body.writeUInt32LE(entry.size ?? content.length, 9);
    body.writeUInt8(3, 13);
    body.writeUInt32LE(entry.checksum ?? crc32(content), 14);
    body.writeUInt32LE(0x5d7b_2e08, 18);
    body.writeUInt8(29, 22);
    body.writeUInt8(0x30, 23);
    body.writeUInt16LE(name.length, 24);
    body.writeUInt32LE(entry.link === undefined ? (entry.isFolder ? 0o40755 : 0o100644) : 0o120777, 26);
    parts.push(block(Buffer.concat([body, name, isLocked ? salt : Buffer.alloc(0)])), packed);
  }
  return Buffer.concat([...parts, short(0x7b, 0x4000)]);
}
