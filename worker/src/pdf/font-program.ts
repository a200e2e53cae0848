import { writeSfnt } from './sfnt.ts';
import { EM, type Outline } from './typeface.ts';

// A TrueType font that contains only the outlines of one file, whichever typefaces they come from.

const ASCENT = 1900;
const DESCENT = -500;

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

/** Contours of an outline, in whole units. Cubic curves don't occur in TrueType fonts. */
function contoursOf({ path }: Outline): Point[][] {
  const contours: Point[][] = [];
  const add = ([x = 0, y = 0]: readonly number[], isOnCurve: boolean): void =>
    void contours.at(-1)!.push({ x: Math.round(x), y: Math.round(y), isOnCurve });
  for (const { type, values } of path) {
    if (type === 'M') contours.push([]);
    if (type === 'M' || type === 'L') add(values, true);
    if (type === 'Q') {
      add(values.slice(0, 2), false);
      add(values.slice(2), true);
    }
    if (type === 'C') throw new Error('a font has cubic curves');
  }
  return contours.map(withoutEnd).filter((contour) => contour.length > 1);
}

/** A contour without its last point if that is the first: contours are closed anyway. */
function withoutEnd(contour: Point[]): Point[] {
  const [first, last] = [contour[0], contour.at(-1)];
  const isDouble = contour.length > 1 && last!.isOnCurve && last!.x === first!.x && last!.y === first!.y;
  return isDouble ? contour.slice(0, -1) : contour;
}

interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

const boxOf = (points: readonly Point[]): Box => ({
  left: Math.min(...points.map(({ x }) => x)),
  bottom: Math.min(...points.map(({ y }) => y)),
  right: Math.max(...points.map(({ x }) => x)),
  top: Math.max(...points.map(({ y }) => y)),
});

const ON_CURVE = 1;
/** Contours of variable fonts overlap; some programs draw such parts white without this. */
const OVERLAPS = 0x40;

function glyphOf(contours: readonly Point[][]): { bytes: Buffer; box: Box } {
  const points = contours.flat();
  if (points.length === 0) return { bytes: Buffer.alloc(0), box: { left: 0, bottom: 0, right: 0, top: 0 } };
  const box = boxOf(points);
  const flagsAt = 12 + contours.length * 2;
  const length = flagsAt + points.length * 5;
  const bytes = Buffer.alloc(length + (length % 2));
  bytes.writeInt16BE(contours.length, 0);
  [box.left, box.bottom, box.right, box.top].forEach((edge, at) => bytes.writeInt16BE(edge, 2 + at * 2));
  let count = 0;
  contours.forEach((contour, at) => {
    count += contour.length;
    bytes.writeUInt16BE(count - 1, 10 + at * 2);
  });
  points.forEach(({ x, y, isOnCurve }, at) => {
    const before = points[at - 1];
    bytes.writeUInt8((isOnCurve ? ON_CURVE : 0) | (at === 0 ? OVERLAPS : 0), flagsAt + at);
    bytes.writeInt16BE(x - (before?.x ?? 0), flagsAt + points.length + at * 2);
    bytes.writeInt16BE(y - (before?.y ?? 0), flagsAt + points.length * 3 + at * 2);
  });
  return { bytes, box };
}

const numbers = (...values: readonly (readonly [size: 1 | 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeIntBE(value, 0, size);
      return bytes;
    }),
  );
const words = (...values: readonly number[]): Buffer =>
  numbers(...values.map((value) => [2, value > 0x7fff ? value - 0x10000 : value] as const));

/** A font with an empty glyph 0, and the outlines from glyph 1 on. */
export function writeFontProgram(outlines: readonly Outline[]): Buffer {
  const contours = [[], ...outlines.map(contoursOf)];
  const glyphs = contours.map(glyphOf);
  const advances = [EM / 2, ...outlines.map(({ advance }) => advance)];
  const box = boxOf(contours.flat(2));
  let end = 0;
  const loca = [0, ...glyphs.map(({ bytes }) => (end += bytes.length))];
  const points = contours.map((all) => all.flat().length);
  const head = Buffer.concat([
    numbers([4, 0x00010000], [4, 0x00010000], [4, 0], [4, 0x5f0f3cf5]),
    words(0b1011, EM),
    Buffer.alloc(16),
    words(box.left, box.bottom, box.right, box.top, 0, 8, 2, 1, 0),
  ]);
  return writeSfnt(
    new Map<string, Uint8Array>([
      ['head', head],
      [
        'hhea',
        Buffer.concat([
          numbers([4, 0x00010000]),
          words(ASCENT, DESCENT, 0, Math.max(...advances), box.left, 0, box.right, 1, 0, 0),
          words(0, 0, 0, 0, 0, glyphs.length),
        ]),
      ],
      [
        'maxp',
        Buffer.concat([
          numbers([4, 0x00010000]),
          words(glyphs.length, Math.max(...points), Math.max(...contours.map((all) => all.length)), 0, 0),
          words(2, 0, 0, 0, 0, 0, 0, 0, 0),
        ]),
      ],
      ['hmtx', Buffer.concat(glyphs.map(({ box: { left } }, at) => words(advances[at]!, left & 0xffff)))],
      ['loca', Buffer.concat(loca.map((offset) => numbers([4, offset])))],
      ['glyf', Buffer.concat(glyphs.map(({ bytes }) => bytes))],
    ]),
  );
}

/** Vertical extent of the font, in its units. */
export const EXTENT = { ascent: ASCENT, descent: DESCENT };
