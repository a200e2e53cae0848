/** A text as it is compared: without case, without marks on letters, each character knowing where it came from. */
export interface Folded {
  readonly text: string;
  readonly folded: string;
  /** For every place in `folded` that of the same character in `text`, and the end. */
  readonly places: readonly number[];
}

/** A piece of a paragraph, in parts of which some were looked for; whether it begins and ends within it. */
export interface Excerpt {
  readonly isBegun: boolean;
  readonly parts: readonly { readonly text: string; readonly isFound: boolean }[];
  readonly isCut: boolean;
}

/** Marks change letters of these scripts a little; those of others make them different letters. */
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

/** Characters before and after what was found. */
const BEFORE = 50;
const AFTER = 110;

/** Characters of a line that says something; a cell of a table is often a name alone. */
const TELLING = 24;

/** The text around the first of `sought` that stands in a sentence, with every one of `marked` marked in it. */
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

/** Where the words stand, in order; those that touch each other are one. */
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

/** The length of the line that a place lies in. */
function lineAt(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return (end < 0 ? text.length : end) - text.lastIndexOf('\n', place - 1) - 1;
}

/** A line of the text is a paragraph of it: an excerpt stays in its paragraph, and begins and ends between words. */
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
