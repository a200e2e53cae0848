import type { Torrent } from './torrent-file.ts';

/** Maps pieces of a torrent to byte ranges of its files. */
export interface Layout {
  readonly pieceCount: number;
  pieceSize(piece: number): number;
  /** Returns the first and last piece with bytes of a file; undefined for an empty file. */
  piecesOf(file: number): { readonly from: number; readonly to: number } | undefined;
  /** Returns the parts of files that make up a piece, in order. */
  segmentsOf(piece: number): Segment[];
}

export interface Segment {
  readonly file: number;
  /** Offset in the file. */
  readonly start: number;
  /** Offset in the piece. */
  readonly at: number;
  readonly size: number;
}

export function createLayout({ files, length, pieceLength, pieceCount }: Torrent): Layout {
  const pieceSize = (piece: number): number => Math.min(pieceLength, length - piece * pieceLength);

  /** Returns the last file that begins at or before a byte of the torrent. */
  function fileAt(offset: number): number {
    let [low, high] = [0, files.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (files[middle]!.offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    pieceCount,
    pieceSize,
    piecesOf(file) {
      const { offset, size } = files[file]!;
      if (size === 0) return undefined;
      return { from: Math.floor(offset / pieceLength), to: Math.floor((offset + size - 1) / pieceLength) };
    },
    segmentsOf(piece) {
      const begin = piece * pieceLength;
      const end = begin + pieceSize(piece);
      const segments: Segment[] = [];
      for (let file = fileAt(begin); file < files.length && files[file]!.offset < end; file += 1) {
        const { offset, size } = files[file]!;
        const from = Math.max(begin, offset);
        const to = Math.min(end, offset + size);
        if (from < to) segments.push({ file, start: from - offset, at: from - begin, size: to - from });
      }
      return segments;
    },
  };
}

/** A bit field with one bit for each piece, in the protocol's order: the highest bit of the first byte is piece 0. */
export interface Bits {
  readonly bytes: Uint8Array;
  has(piece: number): boolean;
  add(piece: number): void;
  delete(piece: number): void;
}

export function createBits(count: number, bytes = new Uint8Array(Math.ceil(count / 8))): Bits {
  return {
    bytes,
    has: (piece) => (bytes[piece >>> 3]! & (0x80 >>> (piece & 7))) !== 0,
    add(piece) {
      bytes[piece >>> 3]! |= 0x80 >>> (piece & 7);
    },
    delete(piece) {
      bytes[piece >>> 3]! &= ~(0x80 >>> (piece & 7));
    },
  };
}
