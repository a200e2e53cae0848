import { parseLinks } from '#app/offline/links/parse-links.ts';

/** What another app said beside the files that it shared, if any. */
export interface SharedFields {
  readonly url: string;
  readonly text: string;
  readonly title: string;
}

/** What is to be made of it. */
export interface SharedText {
  /** To be looked at; as such or, as most apps give them, somewhere in the text. */
  readonly links: readonly string[];
  /** Text that holds no link, to be kept as it is. */
  readonly words: string;
}

/** Links go before words, and the address itself before those that are only mentioned. A title beside files is theirs. */
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

/** Characters of a name made from words. */
const LONGEST_NAME = 48;
// Slashes and control characters are in no name.
// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\u0000-\u001f\u007f/\\]+/g;

/** Words as a file that is called by the first of them. */
export function textFile(words: string): File {
  return new File([words], `${beginningOf(words)}.txt`, { type: 'text/plain' });
}

function beginningOf(words: string): string {
  const line = [...words.split('\n', 1)[0]!.toWellFormed().replace(NOT_IN_NAMES, '-')];
  if (line.length <= LONGEST_NAME) return line.join('');
  const clipped = line.slice(0, LONGEST_NAME).join('');
  return clipped.slice(0, clipped.lastIndexOf(' ') + 1).trimEnd() || clipped;
}
