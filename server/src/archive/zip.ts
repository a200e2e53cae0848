import { crc32 } from 'node:zlib';
import { EXTENDED, NTFS, NTFS_EPOCH_MS, NTFS_TICKS_PER_MS } from './zip-times.ts';

/** Entry of a zip. `path` has forward slashes and none at its ends; a folder's slash is added here. */
export interface ZipEntry {
  readonly path: string;
  readonly modifiedAt: number;
  /** Absent for folders. The source must return exactly `size` bytes or fail. */
  readonly content?: { readonly size: number; readonly open: () => Promise<AsyncIterable<Uint8Array>> };
}

/** Names are length-prefixed with 16 bits. */
export const ZIP_PATH_BYTES = 65_535;

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END = 0x06054b50;
const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;
const UTF8_NAME = 1 << 11;
const SIZES_FOLLOW = 1 << 3;
const VERSION = 20;
const VERSION_64 = 45;
const MADE_BY_UNIX = 3 << 8;
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;
const DOS_FOLDER = 0x10;
/** Number of directory records that are joined into one buffer, since small buffers have a high overhead. */
const RECORDS_JOINED = 512;

interface Written {
  readonly name: Buffer;
  readonly entry: ZipEntry;
  readonly offset: number;
  readonly checksum: number;
}

/**
 * Bytes of a zip, generated while they are read: entries are taken one by one, files are opened in turn, and
 * only the central directory (about a hundred bytes for each entry) is kept until the end. Files are stored
 * uncompressed, since most files in drives are compressed already; beyond 4 GiB or 65,535 entries the zip is
 * a zip64.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Buffer[] = [];
  let records: Buffer[] = [];
  let count = 0;
  let offset = 0;

  for await (const entry of entries) {
    const name = Buffer.from(entry.content ? entry.path : `${entry.path}/`);
    if (name.length > ZIP_PATH_BYTES) throw new RangeError('a path in a zip has at most 65,535 bytes');
    const header = localHeader(name, entry);
    yield header;
    let length = header.length;
    let checksum = 0;
    if (entry.content && entry.content.size > 0) {
      let size = 0;
      for await (const chunk of await entry.content.open()) {
        checksum = crc32(chunk, checksum);
        size += chunk.byteLength;
        yield chunk;
      }
      if (size !== entry.content.size)
        throw new RangeError(`a file returned ${size} bytes instead of ${entry.content.size}`);
      const descriptor = dataDescriptor(size, checksum);
      yield descriptor;
      length += size + descriptor.length;
    }
    records.push(centralRecord({ name, entry, offset, checksum }));
    if (records.length === RECORDS_JOINED) {
      directory.push(Buffer.concat(records));
      records = [];
    }
    offset += length;
    count += 1;
  }

  directory.push(Buffer.concat(records));
  yield* directory;
  yield endOfDirectory(
    count,
    directory.reduce((size, page) => size + page.length, 0),
    offset,
  );
}

function localHeader(name: Buffer, { modifiedAt, content }: ZipEntry): Buffer {
  const size = content?.size ?? 0;
  const large = size >= MOST_32;
  const extra = large ? Buffer.concat([timestamp(modifiedAt), zip64Field([0, 0])]) : timestamp(modifiedAt);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  header.writeUInt16LE(large ? VERSION_64 : VERSION, 4);
  header.writeUInt16LE(flagsOf(size), 6);
  header.writeUInt32LE(dosTime(modifiedAt), 10);
  // Checksum and sizes follow the bytes; sizes that need 64 bits are announced by a field of that width.
  header.writeUInt32LE(large ? MOST_32 : 0, 18);
  header.writeUInt32LE(large ? MOST_32 : 0, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function dataDescriptor(size: number, checksum: number): Buffer {
  const large = size >= MOST_32;
  const descriptor = Buffer.alloc(large ? 24 : 16);
  descriptor.writeUInt32LE(DESCRIPTOR, 0);
  descriptor.writeUInt32LE(checksum, 4);
  if (large) {
    descriptor.writeBigUInt64LE(BigInt(size), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(size, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

function centralRecord({ name, entry: { modifiedAt, content }, offset, checksum }: Written): Buffer {
  const size = content?.size ?? 0;
  const wide = [...(size >= MOST_32 ? [size, size] : []), ...(offset >= MOST_32 ? [offset] : [])];
  const extra =
    wide.length > 0 ? Buffer.concat([timestamp(modifiedAt), zip64Field(wide)]) : timestamp(modifiedAt);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(CENTRAL, 0);
  record.writeUInt16LE(MADE_BY_UNIX | VERSION_64, 4);
  record.writeUInt16LE(wide.length > 0 ? VERSION_64 : VERSION, 6);
  record.writeUInt16LE(flagsOf(size), 8);
  record.writeUInt32LE(dosTime(modifiedAt), 12);
  record.writeUInt32LE(checksum, 16);
  record.writeUInt32LE(Math.min(size, MOST_32), 20);
  record.writeUInt32LE(Math.min(size, MOST_32), 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(content ? FILE_MODE * 2 ** 16 : FOLDER_MODE * 2 ** 16 + DOS_FOLDER, 38);
  record.writeUInt32LE(Math.min(offset, MOST_32), 42);
  return Buffer.concat([record, name, extra]);
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(Math.min(size, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  if (count < MOST_16 && size < MOST_32 && offset < MOST_32) return end;

  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(END64, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_BY_UNIX | VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(LOCATOR64, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

function flagsOf(size: number): number {
  return size > 0 ? UTF8_NAME | SIZES_FOLLOW : UTF8_NAME;
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return field;
}

/**
 * Modification time in the Unix field, or in the NTFS field if 32 bits are too few; absent if neither can
 * represent it.
 */
function timestamp(milliseconds: number): Buffer {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds >= -(2 ** 31) && seconds < 2 ** 31) {
    const field = Buffer.alloc(9);
    field.writeUInt16LE(EXTENDED, 0);
    field.writeUInt16LE(5, 2);
    field.writeUInt8(1, 4);
    field.writeInt32LE(seconds, 5);
    return field;
  }
  const sinceEpoch = Math.floor(milliseconds) + NTFS_EPOCH_MS;
  if (sinceEpoch <= 0) return Buffer.alloc(0);
  const field = Buffer.alloc(36);
  field.writeUInt16LE(NTFS, 0);
  field.writeUInt16LE(32, 2);
  field.writeUInt16LE(1, 8);
  field.writeUInt16LE(24, 10);
  const ticks = BigInt(sinceEpoch) * NTFS_TICKS_PER_MS;
  for (const at of [12, 20, 28]) field.writeBigUInt64LE(ticks, at);
  return field;
}

/** Nearest DOS time, for programs that read nothing else. */
function dosTime(milliseconds: number): number {
  const time = new Date(Math.min(Math.max(milliseconds, Date.UTC(1980)), Date.UTC(2107, 11, 31)));
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const moment = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return day * 2 ** 16 + moment;
}

const GATHERED = 64 * 1024;

/** Joins small chunks, since each header and small file would become a packet otherwise. */
export async function* gather(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let small: Uint8Array[] = [];
  let size = 0;
  const flushed = (): Uint8Array => {
    const joined = Buffer.concat(small);
    small = [];
    size = 0;
    return joined;
  };
  for await (const chunk of chunks) {
    if (chunk.byteLength >= GATHERED) {
      if (size > 0) yield flushed();
      yield chunk;
      continue;
    }
    small.push(chunk);
    size += chunk.byteLength;
    if (size >= GATHERED) yield flushed();
  }
  if (size > 0) yield flushed();
}
