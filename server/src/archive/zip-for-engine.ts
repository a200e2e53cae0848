import type { RandomAccess } from './archive-items.ts';
import type { PackedItem } from './packed-listing.ts';
import { startOfContent } from './zip-content.ts';
import type { ZipItem } from './zip-directory.ts';

const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;
/** Newest version in the format's specification; the engine decides by it which features it supports. */
const VERSION = 63;
const UTF8_NAME = 1 << 11;
const ZIP64_FIELD = 0x0001;
const AES_METHOD = 99;

/** Zip built from new records around the packed bytes of another zip, without copying it. */
export interface ZipForEngine {
  readonly bytes: RandomAccess;
  /** In the order of the items passed in. */
  readonly items: readonly PackedItem[];
}

/** Part of the new zip, in memory or to be read from the original. */
interface Piece {
  readonly start: number;
  readonly size: number;
  readonly held?: Buffer;
  readonly from?: number;
}

/**
 * Builds a zip of selected entries for the engine: with only these entries, plain numbers as names, and
 * correct offsets, whatever was wrong with the original's.
 */
export async function zipForEngine(archive: RandomAccess, wanted: readonly ZipItem[]): Promise<ZipForEngine> {
  const pieces: Piece[] = [];
  const directory: Buffer[] = [];
  const items: PackedItem[] = [];
  let size = 0;
  const hold = (held: Buffer): void => {
    pieces.push({ start: size, size: held.length, held });
    size += held.length;
  };
  for (const [index, item] of wanted.entries()) {
    const name = Buffer.from(String(index));
    const from = await startOfContent(archive, item);
    directory.push(centralRecord(item, name, size));
    hold(localHeader(item, name));
    pieces.push({ start: size, size: item.packedSize, from });
    size += item.packedSize;
    items.push({ ...item, index, path: [String(index)], written: String(index), block: undefined });
  }
  const records = Buffer.concat(directory);
  hold(Buffer.concat([records, endRecords(wanted.length, records.length, size)]));
  return { bytes: view(archive, pieces, size), items };
}

function view(archive: RandomAccess, pieces: readonly Piece[], size: number): RandomAccess {
  async function* stream(start: number, length: number): AsyncGenerator<Uint8Array, void, undefined> {
    const end = start + length;
    for (const piece of pieces) {
      const first = Math.max(start, piece.start) - piece.start;
      const last = Math.min(end, piece.start + piece.size) - piece.start;
      if (first >= last) continue;
      if (piece.held) yield piece.held.subarray(first, last);
      else yield* await archive.stream(piece.from! + first, last - first);
    }
  }
  return {
    size,
    stream: async (start, length) => stream(start, length),
    read: async (start, length) => Buffer.concat(await Array.fromAsync(stream(start, length))),
  };
}

/** Fields that both records of an entry share, from after the version to the length of the name. */
function fieldsOf(item: ZipItem, name: Buffer): Buffer {
  const fields = Buffer.alloc(24);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(item.flags & ~UTF8_NAME, 2);
  fields.writeUInt16LE(item.aes ? AES_METHOD : item.method, 4);
  fields.writeUInt16LE(item.time, 6);
  fields.writeUInt32LE(item.checksum, 10);
  fields.writeUInt32LE(MOST_32, 14);
  fields.writeUInt32LE(MOST_32, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function localHeader(item: ZipItem, name: Buffer): Buffer {
  const extra = extrasOf(item, [item.size, item.packedSize]);
  return Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    fieldsOf(item, name),
    lengths([extra]),
    name,
    extra,
  ]);
}

function centralRecord(item: ZipItem, name: Buffer, offset: number): Buffer {
  const extra = extrasOf(item, [item.size, item.packedSize, offset]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(MOST_32, 10);
  return Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    Buffer.from([VERSION, 0]),
    fieldsOf(item, name),
    lengths([extra]),
    rest,
    name,
    extra,
  ]);
}

function lengths(extras: readonly Buffer[]): Buffer {
  const field = Buffer.alloc(2 * extras.length);
  for (const [at, extra] of extras.entries()) field.writeUInt16LE(extra.length, 2 * at);
  return field;
}

function extrasOf({ cipherField }: ZipItem, wide: readonly number[]): Buffer {
  const zip64 = Buffer.alloc(8 * wide.length);
  for (const [at, value] of wide.entries()) zip64.writeBigUInt64LE(BigInt(value), 8 * at);
  const fields = [{ id: ZIP64_FIELD, bytes: zip64 }, ...(cipherField ? [cipherField] : [])];
  return Buffer.concat(
    fields.flatMap(({ id, bytes }) => {
      const head = Buffer.alloc(4);
      head.writeUInt16LE(id, 0);
      head.writeUInt16LE(bytes.length, 2);
      return [head, bytes];
    }),
  );
}

/** Zip64 records, since the contents may be larger than 4 GiB. */
function endRecords(count: number, size: number, offset: number): Buffer {
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(VERSION, 12);
  end64.writeUInt16LE(VERSION, 14);
  for (const [at, value] of [count, count, size, offset].entries())
    end64.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  for (const at of [8, 10]) end.writeUInt16LE(MOST_16, at);
  for (const at of [12, 16]) end.writeUInt32LE(MOST_32, at);
  return Buffer.concat([end64, locator, end]);
}
