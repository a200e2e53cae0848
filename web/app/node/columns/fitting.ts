import type { Column } from './column.ts';

/** Narrower lists have two lines per row, and no columns; same as in the container queries. */
export const NARROW = 600;
/** Check box and menu button of a row. */
const REST = 120;
/** Columns that every wide list has room for, and least widths of the name beside them and beside more. */
const FEW = 3;
const [LEAST_NAME, LEAST_NAME_OF_MORE] = [140, 280];

/** First columns that leave room for names in a list of this width in px; all if the width is not known yet. */
export function fitting(columns: readonly Column[], width: number | undefined): readonly Column[] {
  if (width === undefined || width < NARROW) return columns;
  let room = width - REST;
  const end = columns.findIndex((column, at) => {
    room -= leastWidth(column.width);
    return room < (at < FEW ? LEAST_NAME : LEAST_NAME_OF_MORE);
  });
  return end < 0 ? columns : columns.slice(0, end);
}

/** Least width in px of a CSS width such as `110px` or `minmax(100px, 160px)`. */
const leastWidth = (width: string): number => Number(/\d+/.exec(width)?.[0] ?? 0);
