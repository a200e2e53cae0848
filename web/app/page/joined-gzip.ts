import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const compress = promisify(deflateRaw);

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Empty block that ends the stream. */
const END = Buffer.from([1, 0, 0, 0xff, 0xff]);
const MOST_IN_BLOCK = 0xff_ff;

/**
 * Compresses a piece of a text so that it can be followed by any other piece in one gzip stream (RFC 1951 and 1952): a
 * full flush ends on a whole byte, and later pieces don't refer to earlier ones.
 */
export const compressedPiece = (piece: Buffer): Promise<Buffer> =>
  compress(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

/** Converts a short piece to the same form without compressing it. */
export function plainPiece(piece: Buffer): Buffer {
  if (piece.length > MOST_IN_BLOCK) throw new RangeError(`${piece.length} bytes do not fit in a block`);
  const block = Buffer.alloc(5);
  block.writeUInt16LE(piece.length, 1);
  block.writeUInt16LE(~piece.length & 0xff_ff, 3);
  return Buffer.concat([block, piece]);
}

/** Joins the pieces of a text to a gzip stream; `texts` are the same pieces without compression. */
export function joinedGzip(pieces: readonly Buffer[], texts: readonly Buffer[]): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(
    texts.reduce((sum, text) => crc32(text, sum), 0),
    0,
  );
  trailer.writeUInt32LE(
    texts.reduce((length, text) => length + text.length, 0),
    4,
  );
  return Buffer.concat([HEADER, ...pieces, END, trailer]);
}
