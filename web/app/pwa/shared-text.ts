import { parseLinks } from '#app/offline/links/parse-links.ts';

/** Fields that another app shared besides files, if any. */
export interface SharedFields {
  readonly url: string;
  readonly text: string;
  readonly title: string;
}

/** Links and text extracted from the fields. */
export interface SharedText {
  /** Links to check; from the link field, or from within the text, as most apps share them. */
  readonly links: readonly string[];
  /** Text without links, to be saved as it is. */
  readonly words: string;
}

/**
 * Reads the shared fields. Links take precedence over text, and the link field over links mentioned in text.
 * A title that comes with files belongs to them.
 */
export function readShared(
  { url, text, title }: SharedFields,
  origin: string,
  hasFiles: boolean,
): SharedText {
  for (const field of [url, text, title]) {
    const { links } = parseLinks(field, origin);
    if (links.length > 0) return { links: links.map((link) => link.url), words: '' };
  }
  const said = [hasFiles ? '' : title, text, url].map((field) => field.trim()).filter(Boolean);
  return { links: [], words: [...new Set(said)].join('\n\n') };
}

/** Maximum number of characters in a name made from text. */
const LONGEST_NAME = 48;
// Names contain no slashes or control characters.
// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\u0000-\u001f\u007f/\\]+/g;

/** Creates a text file, named after its first words. */
export function textFile(words: string): File {
  return new File([words], `${beginningOf(words)}.txt`, { type: 'text/plain' });
}

function beginningOf(words: string): string {
  const line = [...words.split('\n', 1)[0]!.toWellFormed().replace(NOT_IN_NAMES, '-')];
  if (line.length <= LONGEST_NAME) return line.join('');
  const clipped = line.slice(0, LONGEST_NAME).join('');
  return clipped.slice(0, clipped.lastIndexOf(' ') + 1).trimEnd() || clipped;
}
