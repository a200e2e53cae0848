const DOUBLE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3fffd}]/u;
const BROAD = /[A-Z\u0410-\u044fmw@%&]/;
const NARROW = /[ijl.,:;'|!()[\]-]/;
/** Possible line breaks: after spaces and hyphens, and on either side of a character that is a word by itself. */
const ENDS = /(?<=[\s-])|(?=[\u2e80-\u9fff\uac00-\ud7a3])|(?<=[\u2e80-\u9fff\uac00-\ud7a3])/u;

/** Counts the lines of a text in which only words longer than a line are broken. */
export function linesOf(text: string, line: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(ENDS)) {
    const width = breadthOf(word);
    if (used > 0 && used + width > line) {
      lines += 1;
      used = 0;
    }
    used += width;
  }
  return used > line ? lines + 1 : lines;
}

/** Smallest share of a line to fill; if less would be filled, the next word is broken instead. */
const LEAST = 0.5;

/** Splits off the first line, which ends between words if that fills enough of it. */
export function firstLine(text: string, line: number): { first: string; rest: string } {
  let first = '';
  for (const word of text.split(ENDS)) {
    if (breadthOf((first + word).trimEnd()) > line) break;
    first += word;
  }
  if (breadthOf(first) < line * LEAST) first = clippedTo(text, line);
  return { first: first.trimEnd(), rest: text.slice(first.length).trimStart() };
}

/** Approximate width of a character, in letters of average width. */
const breadth = (character: string): number =>
  DOUBLE.test(character) ? 1.95 : BROAD.test(character) ? 1.22 : NARROW.test(character) ? 0.6 : 1;

/** Approximate width of a text, in letters of average width. */
export function breadthOf(text: string): number {
  let width = 0;
  for (const character of text) width += breadth(character);
  return width;
}

/** Returns as much of the start of a text as fits. */
export function clippedTo(text: string, room: number): string {
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += breadth(character);
    if (used > room) break;
    kept += character;
  }
  return kept.trimEnd();
}
