import { splitName } from '@bowerbird/contract';

/**
 * Name in three pieces: the head may be shortened with an ellipsis; the end of the stem and the extension are
 * always shown.
 */
export interface NameParts {
  readonly head: string;
  readonly tail: string;
  readonly extension: string;
}

/** Stems up to this many characters are never shortened. */
export const SHORT = 14;
const TAIL = 6;
// Letters of right-to-left scripts, and control characters of text direction: the pieces would swap places.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// eslint-disable-next-line no-control-regex
const PLAIN = /^[\u0020-\u024f\u3000-\u9fff\uac00-\ud7a3]*$/;
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function nameParts(name: string, kind: 'file' | 'folder'): NameParts {
  const { stem, extension } = kind === 'folder' ? { stem: name, extension: '' } : splitName(name);
  if (stem.length <= SHORT || RIGHT_TO_LEFT.test(stem)) return { head: stem, tail: '', extension };
  // A leading space would look like a gap after the ellipsis.
  const tail = lastCharacters(stem, TAIL).trimStart();
  return { head: stem.slice(0, stem.length - tail.length), tail, extension };
}

/** Returns the last characters as people count them, never half of one. */
function lastCharacters(text: string, count: number): string {
  if (PLAIN.test(text)) return text.slice(-count);
  return Array.from(clusters.segment(text), ({ segment }) => segment)
    .slice(-count)
    .join('');
}
