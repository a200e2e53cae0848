import { shownName } from './shown-name.ts';

/** Part of a name that a search found, in UTF-16 units: includes `from`, excludes `to`. */
export type Mark = readonly [from: number, to: number];

/** Moves marks of a name to its displayed form, in which control characters may be longer. */
export function shownMarks(name: string, marks: readonly Mark[]): readonly Mark[] {
  const shownAt = (at: number): number => shownName(name.slice(0, at)).length;
  return marks.map(([from, to]) => [shownAt(from), shownAt(to)]);
}

/**
 * Splits a piece of a text into marked and other parts. `at` is the place of the piece in the text; the marks are in
 * order and don't overlap.
 */
export function markedParts(
  piece: string,
  at: number,
  marks: readonly Mark[],
): { readonly text: string; readonly isMarked: boolean }[] {
  const parts: { text: string; isMarked: boolean }[] = [];
  const add = (from: number, to: number, isMarked: boolean): void => {
    if (to > from) parts.push({ text: piece.slice(from, to), isMarked });
  };
  let done = 0;
  for (const [from, to] of marks) {
    const start = Math.min(Math.max(from - at, done), piece.length);
    const end = Math.min(Math.max(to - at, start), piece.length);
    add(done, start, false);
    add(start, end, true);
    done = Math.max(done, end);
  }
  add(done, piece.length, false);
  return parts;
}

/** Start of a name that is visible however little room it has. */
const VISIBLE = 8;
/** A rest with fewer letters is no longer than an ellipsis. */
const SHORT = 3;

/**
 * Splits a piece of a text into what is before its first marked part, that part, and what is after it; `at` is the
 * place of the piece in the text. The last two are empty if no mark begins where the piece may be cut off.
 */
export function aroundMark(piece: string, at: number, marks: readonly Mark[]): [string, string, string] {
  const mark = marks.find(([, to]) => to > at);
  if (!mark || mark[0] < at + VISIBLE || mark[0] >= at + piece.length) return [piece, '', ''];
  const [from, to] = [mark[0] - at, mark[1] - at];
  const end = piece.length - to < SHORT ? piece.length : to;
  return [piece.slice(0, from), piece.slice(from, end), piece.slice(end)];
}
