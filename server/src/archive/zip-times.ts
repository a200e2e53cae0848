import { fileTime, timeOf } from '@bowerbird/contract';

/**
 * Modification time of an entry. Extra fields count in seconds or finer and have a known time zone, so they
 * come first. The DOS time is local to the creator's unknown time zone and is read as UTC.
 */
export function zipTime(extras: ReadonlyMap<number, Buffer>, date: number, time: number): number | undefined {
  return (
    unixTime(extras.get(EXTENDED), date) ??
    ntfsTime(extras.get(NTFS)) ??
    oldUnixTime(extras.get(OLD_UNIX)) ??
    dosTime(date, time)
  );
}

export const EXTENDED = 0x5455;
export const NTFS = 0x000a;
const OLD_UNIX = 0x5855;
/** Milliseconds from 1601 to 1970. */
export const NTFS_EPOCH_MS = 11_644_473_600_000;
export const NTFS_TICKS_PER_MS = 10_000n;
const HAS_MODIFIED = 1;
const [YEAR_OF_DOS, YEAR_OF_OVERFLOW] = [1980, 2038];

function unixTime(field: Buffer | undefined, date: number): number | undefined {
  if (!field || field.length < 5 || (field[0]! & HAS_MODIFIED) === 0) return undefined;
  const seconds = field.readInt32LE(1);
  // Some programs write times after 2038 as unsigned numbers; the DOS time reveals this.
  const isUnsigned = seconds < 0 && YEAR_OF_DOS + (date >>> 9) >= YEAR_OF_OVERFLOW;
  return (isUnsigned ? field.readUInt32LE(1) : seconds) * 1000;
}

function oldUnixTime(field: Buffer | undefined): number | undefined {
  return field && field.length >= 8 ? field.readInt32LE(4) * 1000 : undefined;
}

/**
 * Four reserved bytes are followed by attributes, each with a tag and a length; the first contains three
 * times.
 */
function ntfsTime(field: Buffer | undefined): number | undefined {
  if (!field) return undefined;
  for (let at = 4; at + 4 <= field.length;) {
    const [tag, length] = [field.readUInt16LE(at), field.readUInt16LE(at + 2)];
    if (tag === 1 && length >= 24 && at + 12 <= field.length) {
      const ticks = field.readBigUInt64LE(at + 4);
      return ticks > 0n ? fileTime(Number(ticks / NTFS_TICKS_PER_MS) - NTFS_EPOCH_MS) : undefined;
    }
    at += 4 + length;
  }
  return undefined;
}

function dosTime(date: number, time: number): number | undefined {
  return timeOf({
    year: YEAR_OF_DOS + (date >>> 9),
    month: (date >>> 5) & 15,
    day: date & 31,
    hour: time >>> 11,
    minute: (time >>> 5) & 63,
    second: (time & 31) * 2,
  });
}
