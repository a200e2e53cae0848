import type { ExplorerView } from './explorer-props.ts';

/** Layout of entries: columns and lines of equal size, so that any row's position is a multiplication. */
export interface Geometry {
  readonly columns: number;
  /** Size of one entry, in px. */
  readonly width: number;
  readonly height: number;
  /** Gap between entries, horizontally and vertically. */
  readonly gap: number;
  /** Lines that have a heading above them, in order; only in lists. */
  readonly headings?: readonly number[];
}

/** Height of a heading within a list, in px. */
export const HEADING = 44;

export const GRID_GAP = 12;
const GRID_LEAST_WIDTH = 196;
/** Height below the 16:10 picture: two lines of name and padding. */
export const GRID_CAPTION = 58;
export const FLOW_MOST_WIDTH = 880;
export const FLOW_CAPTION = 64;
export const FLOW_GAP = 24;

/** Height of a 16:10 picture between the tile's borders, and the caption with both borders. */
const heightOf = (width: number, caption: number): number => (width - 2) * 0.625 + caption;

/**
 * Same columns as CSS `repeat(auto-fill, minmax(min(196px, 50% - 6px), 1fr))`, which lays out the first paint.
 */
export function gridGeometry(width: number): Geometry {
  const least = Math.min(GRID_LEAST_WIDTH, width / 2 - GRID_GAP / 2);
  const columns = Math.max(1, Math.floor((width + GRID_GAP) / (least + GRID_GAP)));
  const each = (width - GRID_GAP * (columns - 1)) / columns;
  return { columns, width: each, height: heightOf(each, GRID_CAPTION), gap: GRID_GAP };
}

export function geometryOf(
  view: ExplorerView,
  width: number,
  rowHeight: number,
  headings: readonly number[] = [],
): Geometry {
  if (view === 'list') return { columns: 1, width, height: rowHeight, gap: 0, headings };
  if (view === 'grid') return gridGeometry(width);
  const each = Math.min(width, FLOW_MOST_WIDTH);
  return { columns: 1, width: each, height: heightOf(each, FLOW_CAPTION), gap: FLOW_GAP };
}

export const lineStep = ({ height, gap }: Geometry): number => height + gap;
/** Returns the number of headings above a line, including its own. */
export function headingsAbove(headings: readonly number[], line: number): number {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (headings[middle]! <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the top of a line within the list, below its heading. */
export const lineTop = (geometry: Geometry, line: number): number =>
  line * lineStep(geometry) + HEADING * headingsAbove(geometry.headings ?? [], line);

/** Returns the line at a height within the list, with its fraction; a heading belongs to the start of its line. */
export function lineAt(geometry: Geometry, top: number): number {
  const { headings = [] } = geometry;
  const step = lineStep(geometry);
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (headings[middle]! * step + middle * HEADING <= top) low = middle + 1;
    else high = middle;
  }
  const line = (top - low * HEADING) / step;
  return low > 0 ? Math.max(headings[low - 1]!, line) : line;
}

export const lineCount = (count: number, { columns }: Geometry): number => Math.ceil(count / columns);

/** Returns the scroll position that keeps the same entries at the top after a layout change. */
export function reanchored(top: number, before: Geometry, after: Geometry): number {
  if (top <= 0) return top;
  const line = Math.floor(lineAt(before, top));
  if (before.columns !== after.columns)
    return Math.floor((line * before.columns) / after.columns) * lineStep(after);
  const within = (top - lineTop(before, line)) / lineStep(before);
  return lineTop(after, line) + within * lineStep(after);
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the rows that intersect a box, in order. */
export function rowsTouching(box: Box, count: number, geometry: Geometry): number[] {
  const { columns, width, gap } = geometry;
  const touched = (from: number, to: number, size: number, most: number): number[] => {
    const step = size + gap;
    const first = Math.max(0, Math.floor((from + gap) / step));
    const last = Math.min(most - 1, Math.floor(to / step));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  };
  const across = columns === 1 ? [0] : touched(box.left, box.right, width, columns);
  const most = lineCount(count, geometry);
  const first = Math.max(0, Math.floor(lineAt(geometry, box.top + gap)));
  const last = Math.min(most - 1, Math.floor(lineAt(geometry, box.bottom)));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
    .flatMap((line) => across.map((column) => line * columns + column))
    .filter((row) => row < count);
}
