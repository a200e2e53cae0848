import { BadArchive, type RandomAccess } from './archive-items.ts';

/** Position of a zip's directory, and the number of bytes prepended to the zip since it was written. */
export interface DirectoryPlace {
  readonly start: number;
  readonly size: number;
  /** Number of bytes by which all offsets in the directory are too small. */
  readonly shift: number;
  /** Returns whether this number of entries matches the end record: old ones count modulo 65,536. */
  counts(entries: number): boolean;
}

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_MAGIC = Buffer.from('PK\x05\x06', 'latin1');
const LOCATOR64 = 0x07064b50;
const END64 = 0x06064b50;
const END_BYTES = 22;
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;
/** Maximum number of bytes after the end of a zip; with more, the file counts as something else. */
const LONGEST_RUBBISH = 2 ** 20;
/** Maximum number of candidates, since a comment may be full of fake end records. */
const MOST_CANDIDATES = 64;

/**
 * Possible positions of the directory, most likely first. A comment, an entry or an appended file may contain
 * a fake end record, so the top rank goes to a record whose comment ends the file and whose directory ends
 * where the record begins.
 */
export async function directoryPlaces(bytes: RandomAccess): Promise<readonly DirectoryPlace[]> {
  for (const length of [END_BYTES + LONGEST_COMMENT, END_BYTES + LONGEST_COMMENT + LONGEST_RUBBISH]) {
    const places = await placesWithin(bytes, Math.min(bytes.size, length + LOCATOR_BYTES));
    if (places.length > 0) return places;
  }
  throw new BadArchive('it has no directory');
}

interface Ranked {
  readonly rank: number;
  readonly place: DirectoryPlace;
}

async function placesWithin(bytes: RandomAccess, length: number): Promise<DirectoryPlace[]> {
  const tail = await bytes.read(bytes.size - length, length);
  const tailStart = bytes.size - tail.length;
  const read = async (start: number, most: number): Promise<Buffer> =>
    start >= tailStart
      ? tail.subarray(start - tailStart, start - tailStart + most)
      : await bytes.read(start, most);
  const found: Ranked[] = [];
  let candidates = 0;
  for (
    let at = tail.lastIndexOf(END_MAGIC);
    at >= 0 && candidates < MOST_CANDIDATES;
    at = at === 0 ? -1 : tail.lastIndexOf(END_MAGIC, at - 1)
  ) {
    if (at + END_BYTES > tail.length) continue;
    const end = at + END_BYTES + tail.readUInt16LE(at + 20);
    if (end > tail.length) continue;
    candidates += 1;
    const record = await readEnd(read, tailStart + at);
    if (record) found.push(...(await rankedPlaces(read, record, end === tail.length)));
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ place }) => place);
}

type Read = (start: number, most: number) => Promise<Buffer>;

interface EndRecord {
  readonly count: number;
  readonly isLarge: boolean;
  readonly size: number;
  /** Stated start, and the start that follows if the directory ends where the record begins. */
  readonly stated: number;
  readonly adjacent: number;
}

async function readEnd(read: Read, at: number): Promise<EndRecord | undefined> {
  const record = await read(at, END_BYTES);
  if (record.length < END_BYTES || record.readUInt32LE(0) !== END) return undefined;
  const locator = at >= LOCATOR_BYTES ? await read(at - LOCATOR_BYTES, LOCATOR_BYTES) : undefined;
  if (locator?.length === LOCATOR_BYTES && locator.readUInt32LE(0) === LOCATOR64) {
    const large = await readEnd64(read, at - LOCATOR_BYTES, Number(locator.readBigUInt64LE(8)));
    if (large) return large;
  }
  const [size, stated] = [record.readUInt32LE(12), record.readUInt32LE(16)];
  if (size === MOST_32 || stated === MOST_32) return undefined;
  return { count: record.readUInt16LE(10), isLarge: false, size, stated, adjacent: at - size };
}

/** End record of a zip64: at its stated position, or directly before its locator. */
async function readEnd64(read: Read, locator: number, stated: number): Promise<EndRecord | undefined> {
  for (const at of [stated, locator - END64_BYTES]) {
    if (!Number.isSafeInteger(at) || at < 0 || at + END64_BYTES > locator) continue;
    const record = await read(at, END64_BYTES);
    if (record.length < END64_BYTES || record.readUInt32LE(0) !== END64) continue;
    const [count, size, start] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)));
    if (![count, size, start].every(Number.isSafeInteger)) continue;
    return { count: count!, isLarge: true, size: size!, stated: start!, adjacent: at - size! };
  }
  return undefined;
}

/** Penalties in the ranking; an end record with zero entries ranks lowest. */
const [BEHIND_ALL, NOT_ADJACENT, EMPTY] = [2, 1, 8];

async function rankedPlaces(read: Read, record: EndRecord, endsFile: boolean): Promise<Ranked[]> {
  const { count, isLarge, size, stated, adjacent } = record;
  const counts = (entries: number): boolean =>
    isLarge ? entries === count : entries % (MOST_16 + 1) === count;
  const rank = endsFile ? 0 : BEHIND_ALL;
  if (size === 0 && count === 0)
    return [{ rank: rank + EMPTY, place: { start: adjacent, size, shift: 0, counts } }];
  const places: Ranked[] = [];
  if (adjacent >= stated && (await beginsAt(read, adjacent)))
    places.push({ rank, place: { start: adjacent, size, shift: adjacent - stated, counts } });
  if (stated !== adjacent && stated < adjacent && (await beginsAt(read, stated)))
    places.push({
      rank: rank + NOT_ADJACENT,
      place: { start: stated, size: adjacent + size - stated, shift: 0, counts },
    });
  return places;
}

async function beginsAt(read: Read, start: number): Promise<boolean> {
  if (start < 0) return false;
  const magic = await read(start, 4);
  return magic.length === 4 && magic.readUInt32LE(0) === CENTRAL;
}
