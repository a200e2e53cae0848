import type { ErrorId } from '../errors.ts';
import { LIMITS } from '../limits.ts';

// Slashes and control characters, but not line feeds and U+007F: those are found in real names and do no harm in a row.
// eslint-disable-next-line no-control-regex
const FORBIDDEN =
  /[\u0000-\u0009\u000b-\u001f/\\]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The reason why a name can't be used for a file or folder, or undefined if it can. Any other text is a valid name,
 * kept as it is.
 */
export function nameProblem(name: string): ErrorId | undefined {
  if (name === '') return 'file_name_empty';
  if (name === '.' || name === '..' || FORBIDDEN.test(name)) return 'file_name_invalid';
  if (bytes(name.normalize('NFC')) > LIMITS.nameBytes || bytes(name) > LIMITS.nameBytes)
    return 'file_name_too_long';
  return undefined;
}

/**
 * Stem and extension (with its dot) of a name. `.bashrc` and names without a dot are all stem; compound extensions
 * such as `.tar.gz` stay whole.
 */
export function splitName(name: string): { stem: string; extension: string } {
  const match = /^(.+?)((?:\.tar)?\.[^.\s]{1,16})$/u.exec(name);
  return match ? { stem: match[1]!, extension: match[2]! } : { stem: name, extension: '' };
}

/** Longest prefix of `text` that has at most `most` bytes in UTF-8, never splitting a character. */
export function clipBytes(text: string, most: number): string {
  if (bytes(text) <= most) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    used += bytes(segment);
    if (used > most) break;
    kept += segment;
  }
  return kept;
}

/** A number that was added to a name because the original was taken; a year in parentheses is part of the name. */
const NUMBER = /(?<=.)\([1-9]\d?\)$/su;

/** Adds `(n)` before the name's extension, within the byte limit: `photo.jpg` and `photo(1).jpg` → `photo(2).jpg`. */
export function numberedName(name: string, n: number, kind: 'file' | 'folder' = 'file'): string {
  const { stem, extension } = kind === 'file' ? splitName(name) : { stem: name, extension: '' };
  const suffix = `(${n})`;
  return (
    clipBytes(stem.replace(NUMBER, ''), LIMITS.nameBytes - bytes(suffix) - bytes(extension)) +
    suffix +
    extension
  );
}

/**
 * Turns a name from an untrusted source (header, torrent, archive) into one valid segment; `fallback` if nothing is
 * left.
 */
export function cleanName(suggested: string, fallback: string): string {
  const cleaned = suggested
    .toWellFormed()
    .normalize('NFC')
    .split(/[/\\]/)
    .findLast((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..')
    // eslint-disable-next-line no-control-regex
    ?.replace(/[\u0000-\u001f\u007f\ufffd]/gu, '')
    .trim();
  if (!cleaned || cleaned === '.' || cleaned === '..') return fallback;
  const { stem, extension } = splitName(cleaned);
  return clipBytes(stem, LIMITS.nameBytes - bytes(extension)) + extension;
}
