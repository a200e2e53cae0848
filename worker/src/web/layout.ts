import { gcidBlockSize } from '@bowerbird/contract';
import type { StagedPart } from '@bowerbird/storage';

/**
 * The layout of the staged parts of a file. Parts differ in size, but each begins and ends at a multiple of `cell`, and
 * its number is that of its first cell: so the staging area alone shows which bytes are present.
 */
export interface Layout {
  readonly size: number;
  readonly cell: number;
  /** Number of cells; the last may be shorter. Cells are numbered from 1. */
  readonly count: number;
  /** The hash block size. */
  readonly block: number;
}

const SMALLEST_CELL = 64 * 1024;
const MOST_CELLS = 4000;

export function layoutOf(size: number, cell: number = cellOf(size)): Layout {
  return { size, cell, count: Math.ceil(size / cell), block: gcidBlockSize(size) };
}

/** Returns a power of two, like the block size, so that one is always a multiple of the other. */
function cellOf(size: number): number {
  let cell = SMALLEST_CELL;
  while (size > cell * MOST_CELLS) cell *= 2;
  return cell;
}

export const startOf = ({ cell }: Pick<Layout, 'cell'>, number: number): number => (number - 1) * cell;
export const numberAt = ({ cell }: Pick<Layout, 'cell'>, start: number): number => start / cell + 1;

type Place = Pick<StagedPart, 'number' | 'size'>;

/** Returns the staged parts that consist of whole cells and do not overlap. */
export function usableParts(layout: Layout, staged: readonly StagedPart[]): StagedPart[] {
  let covered = 0;
  return staged.filter(({ number, size }) => {
    const start = startOf(layout, number);
    const end = start + size;
    const isWhole = size > 0 && (end === layout.size || (size % layout.cell === 0 && end < layout.size));
    if (!isWhole || start < covered) return false;
    covered = end;
    return true;
  });
}

/** Returns the cells that no part covers, in order. */
export function missingCells(layout: Layout, parts: Iterable<Place>): number[] {
  const isThere = new Uint8Array(layout.count + 1);
  for (const { number, size } of parts) isThere.fill(1, number, number + Math.ceil(size / layout.cell));
  return Array.from({ length: layout.count }, (_, at) => at + 1).filter((number) => !isThere[number]);
}
