const MIB = 2 ** 20;
/** Blocks of the content hash are at most 2 MiB, so parts that are multiples never split one. */
const ALIGN = 2 * MIB;
const SMALLEST = 16 * MIB;
const MOST_PARTS = 9_000;

export interface Part {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Largest file in bytes that is sent in one request. */
export const SINGLE_UP_TO = SMALLEST;

export function partSize(size: number): number {
  return Math.max(SMALLEST, Math.ceil(size / MOST_PARTS / ALIGN) * ALIGN);
}

/** Splits a file of `size` bytes into parts of `partSize`, except for the last. */
export function planParts(size: number): Part[] {
  const each = partSize(size);
  return Array.from({ length: Math.ceil(size / each) }, (_, at) => ({
    number: at + 1,
    start: at * each,
    end: Math.min(size, (at + 1) * each),
  }));
}
