import { gcidBlockSize } from '@bowerbird/contract';
import type { StagedPart } from '@bowerbird/storage';

/** How a file is cut into the parts that it is staged in. */
export interface Layout {
  readonly size: number;
  readonly partSize: number;
  /** By what blocks it is hashed; parts are cut at them. */
  readonly block: number;
  readonly count: number;
}

const MIB = 2 ** 20;
/** What a kill costs at most, for each connection. */
const PART_BYTES = 16 * MIB;
const MOST_PARTS = 4000;

export function layoutOf(size: number, partSize: number = partSizeOf(size)): Layout {
  return { size, partSize, block: gcidBlockSize(size), count: Math.ceil(size / partSize) };
}

function partSizeOf(size: number): number {
  return PART_BYTES * Math.max(1, Math.ceil(size / (PART_BYTES * MOST_PARTS)));
}

export const startOf = ({ partSize }: Layout, number: number): number => (number - 1) * partSize;
export const sizeOf = (layout: Layout, number: number): number =>
  Math.min(layout.partSize, layout.size - startOf(layout, number));

/** Those of the staged parts that are whole parts of the layout. */
export function usableParts(layout: Layout, staged: readonly StagedPart[]): StagedPart[] {
  return staged.filter(({ number, size }) => number <= layout.count && size === sizeOf(layout, number));
}

export function missingParts(layout: Layout, there: { has(number: number): boolean }): number[] {
  return Array.from({ length: layout.count }, (_, at) => at + 1).filter((number) => !there.has(number));
}
