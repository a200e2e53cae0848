import { createReader, type Reader } from './byte-reader.ts';

/** Tables of TrueType outlines. */
export interface GlyphTables {
  /** `glyf`. */
  readonly outlines: Uint8Array;
  /** `loca`, with offsets of 32 bits. */
  readonly offsets: Uint8Array;
  /** Smallest x of each glyph. */
  readonly lefts: readonly number[];
}

interface Streams {
  readonly contours: Reader;
  readonly points: Reader;
  readonly flags: Reader;
  readonly glyphs: Reader;
  readonly composites: Reader;
  readonly boxes: Reader;
}

interface Point {
  readonly dx: number;
  readonly dy: number;
  readonly isOnCurve: boolean;
}

const COMPOSITE = 0xffff;
const ARGS_ARE_WORDS = 0x1;
const HAS_SCALE = 0x8;
const MORE_COMPONENTS = 0x20;
const HAS_TWO_SCALES = 0x40;
const HAS_MATRIX = 0x80;
const HAS_INSTRUCTIONS = 0x100;

const signed = (flag: number, value: number): number => ((flag & 1) === 0 ? -value : value);

/** A point relative to the one before it, in the packed form of section 5.2 of the specification. */
function readPoint(flags: Reader, bytes: Reader): Point {
  const byte = flags.u8();
  const isOnCurve = byte < 0x80;
  const flag = byte & 0x7f;
  const up = flag >> 1;
  if (flag < 10) return { dx: 0, dy: signed(flag, ((flag & 14) << 7) + bytes.u8()), isOnCurve };
  if (flag < 20) return { dx: signed(flag, (((flag - 10) & 14) << 7) + bytes.u8()), dy: 0, isOnCurve };
  if (flag < 84) {
    const [high, low] = [flag - 20, bytes.u8()];
    const dx = signed(flag, 1 + (high & 0x30) + (low >> 4));
    return { dx, dy: signed(up, 1 + ((high & 0x0c) << 2) + (low & 0x0f)), isOnCurve };
  }
  if (flag < 120) {
    const high = flag - 84;
    const dx = signed(flag, 1 + (Math.trunc(high / 12) << 8) + bytes.u8());
    return { dx, dy: signed(up, 1 + (((high % 12) >> 2) << 8) + bytes.u8()), isOnCurve };
  }
  if (flag < 124) {
    const [first, second, third] = [bytes.u8(), bytes.u8(), bytes.u8()];
    const dx = signed(flag, (first << 4) + (second >> 4));
    return { dx, dy: signed(up, ((second & 0x0f) << 8) + third), isOnCurve };
  }
  return { dx: signed(flag, bytes.u16()), dy: signed(up, bytes.u16()), isOnCurve };
}

/** A glyph with contours, without instructions; its points are stored unpacked. */
function readSimple(count: number, { points, flags, glyphs, boxes }: Streams, hasBox: boolean): Uint8Array {
  let total = 0;
  const ends = Array.from({ length: count }, () => {
    total += points.short255();
    return total - 1;
  });
  const all = Array.from({ length: total }, () => readPoint(flags, glyphs));
  // Length of its instructions, whose bytes are in a stream that isn't read.
  glyphs.short255();
  const out = Buffer.alloc(10 + count * 2 + 2 + total * 5);
  out.writeInt16BE(count, 0);
  ends.forEach((end, at) => out.writeUInt16BE(end, 10 + at * 2));
  const flagsAt = 12 + count * 2;
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  let [x, y] = [0, 0];
  all.forEach(({ dx, dy, isOnCurve }, at) => {
    out.writeUInt8(isOnCurve ? 1 : 0, flagsAt + at);
    out.writeInt16BE(dx, flagsAt + total + at * 2);
    out.writeInt16BE(dy, flagsAt + total * 3 + at * 2);
    x += dx;
    y += dy;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  });
  if (hasBox) out.set(boxes.take(8), 2);
  else [box.left, box.bottom, box.right, box.top].forEach((edge, at) => out.writeInt16BE(edge, 2 + at * 2));
  return out;
}

/** A glyph that consists of others, without instructions. */
function readComposite({ composites, glyphs, boxes }: Streams): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0xff, 0xff), boxes.take(8)];
  let hasInstructions = false;
  for (let hasMore = true; hasMore;) {
    const head = Buffer.from(composites.take(4));
    const flags = head.readUInt16BE(0);
    head.writeUInt16BE(flags & ~HAS_INSTRUCTIONS, 0);
    const scales = flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0;
    parts.push(head, composites.take((flags & ARGS_ARE_WORDS ? 4 : 2) + scales));
    hasInstructions ||= (flags & HAS_INSTRUCTIONS) !== 0;
    hasMore = (flags & MORE_COMPONENTS) !== 0;
  }
  if (hasInstructions) glyphs.short255();
  return Buffer.concat(parts);
}

/** Reads the transformed `glyf` table of a WOFF 2.0 font. */
export function readGlyphs(table: Uint8Array): GlyphTables {
  const header = createReader(table);
  header.skip(4);
  const count = header.u16();
  header.skip(2);
  const sizes = Array.from({ length: 7 }, () => header.u32());
  const [contours, points, flags, glyphs, composites, boxBytes] = sizes.map((size) => header.take(size));
  const mapLength = ((count + 31) >> 5) << 2;
  const map = boxBytes!.subarray(0, mapLength);
  const streams: Streams = {
    contours: createReader(contours!),
    points: createReader(points!),
    flags: createReader(flags!),
    glyphs: createReader(glyphs!),
    composites: createReader(composites!),
    boxes: createReader(boxBytes!.subarray(mapLength)),
  };
  const offsets = Buffer.alloc((count + 1) * 4);
  const outlines: Uint8Array[] = [];
  const lefts: number[] = [];
  let at = 0;
  for (let glyph = 0; glyph < count; glyph += 1) {
    const contourCount = streams.contours.u16();
    const hasBox = ((map[glyph >> 3]! >> (7 - (glyph & 7))) & 1) === 1;
    const outline =
      contourCount === 0
        ? Buffer.alloc(0)
        : contourCount === COMPOSITE
          ? readComposite(streams)
          : readSimple(contourCount, streams, hasBox);
    lefts.push(outline.length === 0 ? 0 : createReader(outline.subarray(2)).i16());
    outlines.push(outline);
    at += outline.length;
    // Offsets are even; four is what most tables are aligned to.
    const padding = (4 - (at & 3)) & 3;
    outlines.push(Buffer.alloc(padding));
    at += padding;
    offsets.writeUInt32BE(at, (glyph + 1) * 4);
  }
  return { outlines: Buffer.concat(outlines), offsets, lefts };
}
