import { foldSpelled, foldText, type NameQuery } from '../name-index/index.ts';

/** Occurrences that are marked of one word. */
const MOST = 32;
const PLAIN = /^[\u0020-\u007e]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A folded text, and for each of its units the range of the name that it comes from. */
interface Folded {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Returns the parts of a name that match a query: [start, end) in UTF-16 units, in order and without overlaps. */
export function matchesOf(name: string, { words }: Pick<NameQuery, 'words'>): [number, number][] {
  if (words.length === 0) return [];
  const forms = PLAIN.test(name) ? [plain(name)] : [folded(name, foldText), folded(name, spelled)];
  const ranges: [number, number][] = [];
  for (const spellings of words)
    for (const word of spellings)
      for (const { text, from, to } of forms) {
        let at = text.indexOf(word);
        for (let count = 0; at >= 0 && count < MOST; count++) {
          ranges.push([from[at]!, to[at + word.length - 1]!]);
          at = text.indexOf(word, at + 1);
        }
      }
  ranges.sort(([a, b], [c, d]) => a - c || b - d);
  const merged: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function plain(name: string): Folded {
  const at = Array.from({ length: name.length }, (_, index) => index);
  return { text: name.toLowerCase(), from: at, to: at.map((index) => index + 1) };
}

/** Folds a name character by character, as readers count them. */
function folded(name: string, fold: (text: string) => string): Folded {
  let text = '';
  const from: number[] = [];
  const to: number[] = [];
  for (const { segment, index } of segmenter.segment(name)) {
    const part = fold(segment);
    text += part;
    for (let unit = 0; unit < part.length; unit++) {
      from.push(index);
      to.push(index + segment.length);
    }
  }
  return { text, from, to };
}

const spelled = (text: string): string => foldSpelled(text) ?? foldText(text);

/** Part of a note, and what matches in it. */
export interface Excerpt {
  readonly text: string;
  readonly matches: [number, number][];
}

/** Length of an excerpt, and of what precedes the first match in it, in UTF-16 units. */
const EXCERPT = 160;
const BEFORE = 30;

/** Returns the part of a note around its first match, on one line; undefined without a note. */
export function excerptOf(note: string | undefined, query: Pick<NameQuery, 'words'>): Excerpt | undefined {
  if (note === undefined) return undefined;
  const line = note.replaceAll(/\s+/gu, ' ');
  const matches = matchesOf(line, query);
  const first = matches[0]?.[0] ?? 0;
  const space = first > BEFORE ? line.indexOf(' ', first - BEFORE) + 1 : 0;
  const from = space > 0 && space <= first ? space : first > BEFORE ? first : 0;
  const [start, end] = [from === 0 ? '' : '…', line.length > from + EXCERPT ? '…' : ''];
  const text = line.slice(from, from + EXCERPT).toWellFormed();
  return {
    text: start + text + end,
    matches: matches
      .filter(([, to]) => to <= from + EXCERPT)
      .map(([a, b]) => [a - from + start.length, b - from + start.length]),
  };
}
