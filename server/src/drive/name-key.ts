import { categoryOf, clipBytes, FILE_CATEGORIES, fileExtension } from '@bowerbird/contract';

/** Below every character that a name can contain, so that a name sorts before those that it is a prefix of. */
const END = '\u0001';
/** Folding can make a name eleven times as long; index entries have limits. */
const FOLDED_BYTES = 600;
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const PLAIN = /^[\u0020-\u007e]*$/;

/**
 * Returns a name without the properties that don't affect its primary position in a list: case, accents, width.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  const folded = name.normalize('NFKD').replace(MARKS, '').normalize('NFKC');
  // Upper case first: characters that exist in only one case (ß, ς) then match their counterparts.
  return clipBytes(folded.toUpperCase().toLowerCase(), FOLDED_BYTES);
}

/** Converts a run of digits to a text that sorts by value: the number of digits, then the digits. */
function numberKey(digits: string): string {
  const value = digits.replace(/^0+/, '');
  return `0${value.length.toString(16).padStart(3, '0')}${value}`;
}

/**
 * Returns the sort key of a name, a text that is compared byte by byte (code point by code point, which is the
 * same in UTF-8): folded for case, accents and width, runs of digits by their value, and ties by the exact NFC
 * name. Digits sort at the position of "0" among other characters. Databases, shares and WebDAV all sort by it.
 */
export function nameKey(name: string): string {
  return foldName(name).replace(/[0-9]+/g, numberKey) + END + name.normalize('NFC');
}

/** Sort key of a node's type: folders first, then by category, within it by extension. */
export function typeKey(name: string, kind: 0 | 1): string {
  const category = kind === 0 ? 'folder' : categoryOf(name);
  const place = String(FILE_CATEGORIES.indexOf(category)).padStart(2, '0');
  return kind === 0 ? place : clipBytes(place + fileExtension(name), 64);
}

/** Returns the form of a name that is unique among the live children of a folder. */
export function nameFold(name: string): string {
  return name.normalize('NFC');
}

/**
 * Compares in the order of UTF-8 bytes, as both databases compare text; the plain `<` of strings puts emoji
 * before some letters.
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

/** Surrogates belong to code points above all others. */
function byteRank(unit: number): number {
  return unit < 0xd8_00 ? unit : unit < 0xe0_00 ? unit + 0x20_00 : unit - 0x8_00;
}
