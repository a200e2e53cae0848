import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const compress = promisify(deflateRaw);

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Empty block that ends the stream. */
const END = Buffer.from([1, 0, 0, 0xff, 0xff]);
const TRAILER_BYTES = 8;
const MOST_IN_BLOCK = 0xff_ff;

/** Place in a text for a value of a known length. */
export interface Gap {
  /** Number of the value. */
  readonly slot: number;
  readonly bytes: number;
}

/** Text with gaps, in two forms that are copied and filled for each reader. */
export interface Template {
  /** Bytes that both forms take. */
  readonly size: number;
  /**
   * Returns the text with these values in its gaps, as it is or as a gzip stream; undefined if a value isn't as long as
   * its gaps. Values are Latin-1.
   */
  filled(values: readonly string[], isCompressed: boolean): Buffer | undefined;
}

/**
 * Compresses the pieces of a text once, so that each reader's copy only gets its values. A full flush ends a piece on a
 * whole byte, later pieces don't refer to earlier ones, and a gap is a block without compression (RFC 1951 and 1952).
 * The checksum of a copy follows from that of the text with zeros in its gaps: a checksum is linear.
 */
export async function createTemplate(parts: readonly (Buffer | Gap)[]): Promise<Template> {
  const plain = Buffer.concat(parts.map((part) => (isGap(part) ? Buffer.alloc(part.bytes) : part)));
  const pieces = await Promise.all(
    parts.map(async (part) => (isGap(part) ? emptyBlock(part.bytes) : compressed(part))),
  );
  const gzip = Buffer.concat([HEADER, ...pieces, END, Buffer.alloc(TRAILER_BYTES)]);
  gzip.writeUInt32LE(plain.length, gzip.length - 4);

  const slots = new Map<number, Slot>();
  let [at, gzipAt] = [0, HEADER.length];
  for (const [index, part] of parts.entries()) {
    at += isGap(part) ? part.bytes : part.length;
    gzipAt += pieces[index]!.length;
    if (!isGap(part)) continue;
    const slot = slots.get(part.slot) ?? newSlot(part);
    if (slot.bytes !== part.bytes) throw new RangeError('the gaps of a value have different lengths');
    slots.set(part.slot, slot);
    slot.places.push(at - part.bytes);
    slot.gzipPlaces.push(gzipAt - part.bytes);
    slot.weight ^= shift(plain.length - at);
  }
  const sum = crc32(plain);

  return {
    size: plain.length + gzip.length,
    filled(values, isCompressed) {
      const copy = Buffer.from(isCompressed ? gzip : plain);
      let crc = sum;
      for (const [number, { bytes, zeros, weight, places, gzipPlaces }] of slots) {
        const value = Buffer.from(values[number] ?? '', 'latin1');
        if (value.length !== bytes) return undefined;
        for (const place of isCompressed ? gzipPlaces : places) copy.set(value, place);
        if (isCompressed) crc ^= product(weight, crc32(value) ^ zeros);
      }
      if (isCompressed) copy.writeUInt32LE(crc >>> 0, copy.length - TRAILER_BYTES);
      return copy;
    },
  };
}

/** All gaps for one value. */
interface Slot {
  readonly bytes: number;
  readonly places: number[];
  readonly gzipPlaces: number[];
  /** Factor that turns a change of the value into the change of the text's checksum. */
  weight: number;
  /** Checksum of as many zeros. */
  readonly zeros: number;
}

const newSlot = ({ bytes }: Gap): Slot => ({
  bytes,
  places: [],
  gzipPlaces: [],
  weight: 0,
  zeros: crc32(Buffer.alloc(bytes)),
});

const isGap = (part: Buffer | Gap): part is Gap => !Buffer.isBuffer(part);

const compressed = (piece: Buffer): Promise<Buffer> =>
  compress(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

/** Block for bytes without compression, filled with zeros. */
function emptyBlock(bytes: number): Buffer {
  if (bytes > MOST_IN_BLOCK) throw new RangeError(`${bytes} bytes do not fit in a block`);
  const block = Buffer.alloc(5 + bytes);
  block.writeUInt16LE(bytes, 1);
  block.writeUInt16LE(~bytes & 0xff_ff, 3);
  return block;
}

// Checksums are polynomials over the field of two elements modulo this one, the highest power in the lowest bit, as in
// zlib's crc32_combine.
const POLYNOMIAL = 0xed_b8_83_20;
const ONE = 0x80_00_00_00;

/** Product of two polynomials. */
function product(one: number, other: number): number {
  let [sum, factor] = [0, other];
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (one & bit) sum ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return sum;
}

/** Factor by which a checksum changes if this many zeros follow. */
function shift(bytes: number): number {
  let [result, power] = [ONE, ONE >>> 8];
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, power);
    power = product(power, power);
  }
  return result;
}
