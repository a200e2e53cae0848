import type { Letter } from './typeface.ts';
import { EM } from './typeface.ts';

/** Width of letters in points at a size. */
export const widthOf = (letters: readonly Letter[], size: number): number =>
  letters.reduce((sum, { advance }) => sum + (advance * size) / EM, 0);

const EASTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Punctuation that doesn't begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\u30fc\u3005]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** True if a line may end between two letters. */
function mayBreak(before: string, after: string): boolean {
  if (/^\s/u.test(after) || CLOSING.test(after) || OPENING.test(before)) return false;
  return /[\s\-\u2010\u2013\u2014/@]$/u.test(before) || EASTERN.test(before) || EASTERN.test(after);
}

/** Index of the letter with which the next line begins. */
function endOfLine(letters: readonly Letter[], from: number, most: number): number {
  let width = 0;
  let [possible, at] = [from, from];
  for (; at < letters.length; at += 1) {
    const { advance, text } = letters[at]!;
    if (at > from && mayBreak(letters[at - 1]!.text, text)) possible = at;
    width += advance;
    if (width > most && at > from && !/^\s/u.test(text)) return possible > from ? possible : at;
  }
  return at;
}

/** Breaks a text into lines of a width in points; at most `most` lines, of which the last one then ends with "…". */
export function breakLines(
  letters: readonly Letter[],
  { width, size, most, ellipsis }: { width: number; size: number; most: number; ellipsis: readonly Letter[] },
): Letter[][] {
  const units = (width * EM) / size;
  const lines: Letter[][] = [];
  for (let from = 0; from < letters.length;) {
    const end = endOfLine(letters, from, units);
    lines.push(letters.slice(from, end));
    from = end;
  }
  if (lines.length <= most) return lines;
  const last = lines[most - 1]!;
  while (last.length > 0 && widthOf([...last, ...ellipsis], EM) > units) last.pop();
  return [...lines.slice(0, most - 1), [...last, ...ellipsis]];
}
