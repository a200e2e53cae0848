const MIB = 2 ** 20;
/** Blocks of the content hash are at most 2 MiB, so parts that are multiples never split one. */
const ALIGN = 2 * MIB;
const MOST_PARTS = 9_000;
/** Size in bytes of the parts with which uploads begin. */
export const USUAL_PART = 16 * MIB;

/** Piece of a file, from `start` up to but not including `end`, in bytes. */
export interface Part {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface HeldPart {
  readonly etag: string;
  readonly size: number;
}

/**
 * Smallest size of a part in bytes. The number of a part says where it begins, in this unit, so parts of different
 * sizes fit together, and one that was too large can be sent as several smaller ones: S3 allows gaps between
 * numbers. It is as small as the number of parts allows: proxies may refuse bodies of more than 1 MiB.
 */
export function unitOf(size: number): number {
  return size <= MOST_PARTS * MIB ? MIB : Math.ceil(size / MOST_PARTS / ALIGN) * ALIGN;
}

/** Unit of uploads that were begun with parts of equal size, numbered one after the other. */
export function equalPartOf(size: number): number {
  return Math.max(USUAL_PART, Math.ceil(size / MOST_PARTS / ALIGN) * ALIGN);
}

/** Parts of a file that have arrived, and ranges that are still to be sent. */
export interface PartPlan {
  readonly unit: number;
  /** Bytes that have arrived. */
  readonly arrived: number;
  /** Tags of the parts that make up the file, by number. */
  readonly etags: ReadonlyMap<number, string>;
  /** Returns the next part, of at most `bytes` unless that's less than a unit; `undefined` if everything was taken. */
  take(bytes: number): Part | undefined;
  /** Returns the beginning of a part, of at most `bytes` unless that's less than a unit. */
  beginningOf(part: Part, bytes: number): Part;
  /** Notes that a part has arrived; the rest of `of`, if any, is taken again later. */
  hasArrived(part: Part, etag: string, of?: Part): void;
}

/** Plans the parts of a file of `size` bytes, some of which may be held already. */
export function planParts(size: number, unit: number, held: ReadonlyMap<number, HeldPart>): PartPlan {
  const etags = new Map<number, string>();
  let arrived = 0;
  /** Ranges to be sent, in order. */
  const missing: { start: number; end: number }[] = [];
  const known = [...held].toSorted(([a], [b]) => a - b);
  let covered = 0;
  for (const [at, [number, { etag, size: bytes }]] of known.entries()) {
    const start = (number - 1) * unit;
    const next = known[at + 1];
    // A part that reaches into the next one arrived late, after it had been sent in pieces: it is replaced.
    const end = next ? Math.min(size, (next[0] - 1) * unit) : size;
    const isWhole = bytes > 0 && (bytes % unit === 0 || start + bytes === size);
    if (!isWhole || start < covered || start + bytes > end) continue;
    if (start > covered) missing.push({ start: covered, end: start });
    etags.set(number, etag);
    arrived += bytes;
    covered = start + bytes;
  }
  if (covered < size) missing.push({ start: covered, end: size });

  const wholeUnits = (bytes: number): number => Math.max(1, Math.floor(bytes / unit)) * unit;
  const partOf = (start: number, end: number): Part => ({ number: start / unit + 1, start, end });

  return {
    unit,
    etags,
    get arrived() {
      return arrived;
    },
    take(bytes) {
      const range = missing[0];
      if (!range) return undefined;
      const { start } = range;
      range.start = Math.min(range.end, start + wholeUnits(bytes));
      if (range.start === range.end) missing.shift();
      return partOf(start, range.start);
    },
    beginningOf({ start, end }, bytes) {
      return partOf(start, Math.min(end, start + wholeUnits(bytes)));
    },
    hasArrived(part, etag, of = part) {
      etags.set(part.number, etag);
      arrived += part.end - part.start;
      if (part.end < of.end) missing.unshift({ start: part.end, end: of.end });
    },
  };
}
