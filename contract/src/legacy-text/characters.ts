/** The script or class that a character belongs to. */
export type Kind =
  | 'ascii'
  | 'latin'
  | 'cyrillic'
  | 'greek'
  | 'kana'
  | 'half-kana'
  | 'han'
  | 'hangul'
  /** An accent that combines with the preceding letter. */
  | 'mark'
  /** ASCII digits, spaces and punctuation. */
  | 'plain'
  /** Full-width punctuation. */
  | 'wide-sign'
  | 'sign'
  /** Control characters, and private-use or unassigned ones. */
  | 'noise';

const RANGES: readonly (readonly [first: number, last: number, kind: Kind])[] = [
  [0x80, 0x9f, 'noise'],
  [0xc0, 0xd6, 'latin'],
  [0xd8, 0xf6, 'latin'],
  [0xf8, 0x24f, 'latin'],
  [0x300, 0x36f, 'mark'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x1e00, 0x1eff, 'latin'],
  [0x3005, 0x3007, 'han'],
  [0x3041, 0x3096, 'kana'],
  [0x30a1, 0x30fa, 'kana'],
  [0x30fc, 0x30fe, 'kana'],
  [0x3000, 0x303f, 'wide-sign'],
  [0x30fb, 0x30fb, 'wide-sign'],
  [0x3131, 0x318e, 'hangul'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7a3, 'hangul'],
  [0xe000, 0xf8ff, 'noise'],
  [0xf900, 0xfaff, 'han'],
  [0xff01, 0xff5e, 'wide-sign'],
  [0xff65, 0xff9f, 'half-kana'],
  [0xfff0, 0xffff, 'noise'],
  [0x20000, 0x3ffff, 'han'],
  [0x40000, 0x10ffff, 'noise'],
];

export function kindOf(point: number): Kind {
  if (point < 0x80) {
    const lower = point | 0x20;
    return lower >= 0x61 && lower <= 0x7a ? 'ascii' : 'plain';
  }
  return RANGES.find(([first, last]) => point >= first && point <= last)?.[2] ?? 'sign';
}

export const isLetter = (kind: Kind): boolean =>
  kind !== 'plain' && kind !== 'wide-sign' && kind !== 'sign' && kind !== 'noise';
