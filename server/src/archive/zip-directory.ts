import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { legacyReader } from '@bowerbird/contract';
import { BadArchive, MOST_ITEMS, type ArchiveItem, type RandomAccess } from './archive-items.ts';
import { segmentsOf } from './archive-names.ts';
import { directoryPlaces, type DirectoryPlace } from './zip-end.ts';
import { zipTime } from './zip-times.ts';

/** Encryption of an entry. */
export type Lock = 'none' | 'classic' | 'aes' | 'unknown';

export interface ZipItem extends ArchiveItem {
  readonly method: number;
  readonly lock: Lock;
  /** Strength of AES, 1 to 3, and version of the format: the second one omits the checksum. */
  readonly aes: { readonly strength: number; readonly version: number } | undefined;
  readonly packedSize: number;
  readonly checksum: number;
  /** Byte that reveals most wrong passwords of the classic cipher early. */
  readonly checkByte: number;
  /** Options of the compression method. */
  readonly flags: number;
  readonly time: number;
  /** Extra field with the parameters of the cipher. */
  readonly cipherField: { readonly id: number; readonly bytes: Buffer } | undefined;
  readonly offset: number;
}

const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
/** Maximum number of candidate positions that are tried for the directory. */
const MOST_TRIED = 4;
const LARGEST_DIRECTORY = 64 * 2 ** 20;
const ITEMS_AT_ONCE = 2000;
const UTF8_NAME = 1 << 11;
const ENCRYPTED = 1;
const STRONG = 1 << 6;
const SIZES_FOLLOW = 1 << 3;
const AES_METHOD = 99;
const AES_FIELD = 0x9901;
const CIPHER_FIELDS = [AES_FIELD, 0x0017];
const UNIX = 3;
const DOS_FOLDER = 0x10;
const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const S_IFDIR = 0o040000;

/** Lists all entries of a zip. Throws {@link BadArchive}. */
export async function readZipDirectory(bytes: RandomAccess): Promise<ZipItem[]> {
  const places = await directoryPlaces(bytes);
  let refusal: unknown;
  for (const place of places.slice(0, MOST_TRIED)) {
    try {
      return await readDirectoryAt(bytes, place);
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function readDirectoryAt(bytes: RandomAccess, place: DirectoryPlace): Promise<ZipItem[]> {
  if (place.size > LARGEST_DIRECTORY) throw new BadArchive('it has too many entries');
  const directory = await bytes.read(place.start, place.size);
  const records: ZipRecord[] = [];
  let at = 0;
  while (at + CENTRAL_BYTES <= directory.length && directory.readUInt32LE(at) === CENTRAL) {
    if (records.length >= MOST_ITEMS) throw new BadArchive('it has too many entries');
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const next = at + CENTRAL_BYTES + name! + extra! + comment!;
    if (next > directory.length) throw new BadArchive('its directory is truncated');
    records.push(recordOf(directory.subarray(at, next), name!, extra!));
    at = next;
    if (records.length % ITEMS_AT_ONCE === 0) await yieldToEventLoop();
  }
  if (!place.counts(records.length)) throw new BadArchive('its directory differs from its end record');
  const decode = legacyReader(records.flatMap(({ name }) => (typeof name === 'string' ? [] : [name])));
  const items: ZipItem[] = [];
  for (const record of records) {
    items.push(readItem(record, { index: items.length, shift: place.shift }, decode));
    if (items.length % ITEMS_AT_ONCE === 0) await yieldToEventLoop();
  }
  refuseOverlaps(items, place.start);
  return items;
}

/** Overlapping entries turn a small file into a huge one; honest programs write none. */
function refuseOverlaps(items: readonly ZipItem[], directory: number): void {
  const sorted = items.filter(({ packedSize }) => packedSize > 0).toSorted((a, b) => a.offset - b.offset);
  for (const [at, { offset, packedSize }] of sorted.entries()) {
    const end = offset + packedSize;
    if (end > (sorted[at + 1]?.offset ?? directory)) throw new BadArchive('its entries overlap');
  }
}

/** Entry of the directory, whose name is still undecoded if its encoding is not declared. */
interface ZipRecord {
  readonly fields: Buffer;
  readonly extras: ReadonlyMap<number, Buffer>;
  /** Raw bytes if the encoding is not declared. */
  readonly name: string | Buffer;
}

function recordOf(fields: Buffer, nameLength: number, extraLength: number): ZipRecord {
  const name = fields.subarray(CENTRAL_BYTES, CENTRAL_BYTES + nameLength);
  const extras = readExtras(
    fields.subarray(CENTRAL_BYTES + nameLength, CENTRAL_BYTES + nameLength + extraLength),
  );
  const isUtf8 = (fields.readUInt16LE(8) & UTF8_NAME) !== 0;
  return { fields, extras, name: unicodeName(name, extras.get(0x7075)) ?? (isUtf8 ? name.toString() : name) };
}

/** Reads the Unicode name from the extra field of older programs. */
function unicodeName(raw: Buffer, unicode: Buffer | undefined): string | undefined {
  const fits = unicode && unicode.length > 5 && unicode[0] === 1 && unicode.readUInt32LE(1) === crc32(raw);
  return fits ? unicode.subarray(5).toString('utf8') : undefined;
}

function readItem(
  { fields: record, extras, name: said }: ZipRecord,
  { index, shift }: { index: number; shift: number },
  decode: (name: Uint8Array) => string,
): ZipItem {
  const flags = record.readUInt16LE(8);
  const stated = record.readUInt16LE(10);
  const name = typeof said === 'string' ? said : decode(said);
  const wide = extras.get(0x0001);
  let wideAt = 0;
  const long = (value: number): number => {
    if (value !== 0xffffffff) return value;
    if (!wide || wideAt + 8 > wide.length) throw new BadArchive('a size is missing');
    const number = Number(wide.readBigUInt64LE(wideAt));
    wideAt += 8;
    if (!Number.isSafeInteger(number)) throw new BadArchive('a size is invalid');
    return number;
  };
  const size = long(record.readUInt32LE(24));
  const packedSize = long(record.readUInt32LE(20));
  const offset = long(record.readUInt32LE(42)) + shift;
  const aesField = stated === AES_METHOD ? extras.get(AES_FIELD) : undefined;
  const aes =
    aesField && aesField.length >= 7
      ? { version: aesField.readUInt16LE(0), strength: aesField[4]! }
      : undefined;
  const checksum = record.readUInt32LE(16);
  const time = record.readUInt16LE(12);
  return {
    index,
    path: segmentsOf(name),
    kind: kindOf(record, name),
    method: aes ? aesField!.readUInt16LE(5) : stated,
    isLocked: (flags & ENCRYPTED) !== 0,
    lock: (flags & ENCRYPTED) === 0 ? 'none' : (flags & STRONG) !== 0 ? 'unknown' : aes ? 'aes' : 'classic',
    aes,
    size,
    packedSize,
    checksum,
    checkByte: (flags & SIZES_FOLLOW) !== 0 ? time >>> 8 : checksum >>> 24,
    modifiedAt: zipTime(extras, record.readUInt16LE(14), time),
    flags,
    time,
    cipherField: cipherFieldOf(extras),
    offset,
  };
}

function cipherFieldOf(extras: ReadonlyMap<number, Buffer>): ZipItem['cipherField'] {
  const id = CIPHER_FIELDS.find((known) => extras.has(known));
  // Copied, since the directory's buffer is not kept.
  return id === undefined ? undefined : { id, bytes: Buffer.from(extras.get(id)!) };
}

function readExtras(extra: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    if (at + 4 + length > extra.length) break;
    found.set(extra.readUInt16LE(at), extra.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

function kindOf(record: Buffer, name: string): ZipItem['kind'] {
  const attributes = record.readUInt32LE(38);
  const type = record.readUInt16LE(4) >>> 8 === UNIX ? (attributes >>> 16) & S_IFMT : 0;
  if (/[/\\]$/.test(name) || (type === 0 && (attributes & DOS_FOLDER) !== 0) || type === S_IFDIR)
    return 'folder';
  return type === 0 || type === S_IFREG ? 'file' : 'other';
}
