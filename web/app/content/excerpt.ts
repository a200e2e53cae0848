/**
 * Text normalized for comparison: without case and diacritics, with the original position of each character.
 */
export interface Folded {
  readonly text: string;
  readonly folded: string;
  /** Position in `text` of each character of `folded`, and of the end. */
  readonly places: readonly number[];
}

/**
 * Part of a paragraph, split at the search terms; the flags are true if it starts or ends within the
 * paragraph.
 */
export interface Excerpt {
  readonly isBegun: boolean;
  readonly parts: readonly { readonly text: string; readonly isFound: boolean }[];
  readonly isCut: boolean;
}

/** Diacritics of scripts in which they only modify a letter; in other scripts they make it a different one. */
const MARKED = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

const foldCharacter = (character: string): string =>
  character.normalize('NFKD').replace(MARKED, '').normalize('NFC').toLowerCase();

export function foldedWith(given: string): Folded {
  const text = given.normalize('NFC');
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const piece = foldCharacter(character);
    for (let n = 0; n < piece.length; n++) places.push(at);
    folded += piece;
    at += character.length;
  }
  return { text, folded, places: [...places, at] };
}

/** Characters before and after the match. */
const BEFORE = 50;
const AFTER = 110;

/** Minimum length of a meaningful line; a table cell is often only a name. */
const TELLING = 24;

/**
 * Returns the text around the first of `sought` that is part of a sentence, with all of `marked` marked in
 * it.
 */
export function excerptAround(
  { text, folded, places }: Folded,
  sought: readonly RegExp[],
  marked: readonly RegExp[],
): Excerpt | undefined {
  const found = spansOf(folded, sought).map(([from]) => places[from]!);
  const first = found.find((at) => lineAt(text, at) >= TELLING) ?? found[0];
  if (first === undefined) return undefined;
  const start = beginning(text, first);
  const end = ending(text, first);
  const parts: { text: string; isFound: boolean }[] = [];
  let at = start;
  for (const [from, to] of spansOf(folded, marked).map((span) => span.map((place) => places[place]!))) {
    if (from! < start || to! > end) continue;
    if (from! > at) parts.push({ text: text.slice(at, from), isFound: false });
    parts.push({ text: text.slice(from, to), isFound: true });
    at = to!;
  }
  if (at < end) parts.push({ text: text.slice(at, end), isFound: false });
  const isWhole = (place: string | undefined): boolean => place === undefined || place === '\n';
  return { isBegun: !isWhole(text[start - 1]), parts, isCut: !isWhole(text[end]) };
}

/** Positions of the words, in order; adjacent ones are merged. */
function spansOf(folded: string, words: readonly RegExp[]): [number, number][] {
  const spans = words
    .flatMap((word) => [...folded.matchAll(new RegExp(word, 'gu'))])
    .map((match): [number, number] => [match.index, match.index + match[0].length])
    .toSorted(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Length of the line at a position. */
function lineAt(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return (end < 0 ? text.length : end) - text.lastIndexOf('\n', place - 1) - 1;
}

/**
 * Returns the start of an excerpt. A line of the text is one paragraph: an excerpt stays in its paragraph,
 * and starts and ends between words.
 */
function beginning(text: string, first: number): number {
  const line = text.lastIndexOf('\n', first - 1) + 1;
  const earliest = first - BEFORE;
  if (earliest <= line) return line;
  const space = text.indexOf(' ', earliest);
  return space >= 0 && space < first ? space + 1 : earliest;
}

function ending(text: string, first: number): number {
  const found = text.indexOf('\n', first);
  const line = found < 0 ? text.length : found;
  const latest = first + AFTER;
  if (latest >= line) return line;
  const space = text.lastIndexOf(' ', latest);
  return space > first ? space : latest;
}
