import { expect, test } from 'vitest';
import { createBits, createLayout } from './layout.ts';
import type { Torrent } from './torrent-file.ts';

/** Pieces of ten bytes; `sizes` are the sizes of the files, in order. */
function layoutOf(...sizes: number[]) {
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const files = sizes.map((size, at) => ({
    size,
    offset: sizes.slice(0, at).reduce((sum, one) => sum + one, 0),
  }));
  const torrent = { files, length, pieceLength: 10, pieceCount: Math.ceil(length / 10) };
  return createLayout(torrent as unknown as Torrent);
}

test('a file needs exactly the pieces that contain its bytes', () => {
  const layout = layoutOf(10, 5, 5, 0, 1, 25);
  const pieces = [0, 1, 2, 3, 4, 5].map((file) => layout.piecesOf(file));
  expect(pieces).toEqual([
    { from: 0, to: 0 },
    { from: 1, to: 1 },
    { from: 1, to: 1 },
    undefined,
    { from: 2, to: 2 },
    { from: 2, to: 4 },
  ]);
  expect(layoutOf(20).piecesOf(0)).toEqual({ from: 0, to: 1 });
});

test('a piece consists of parts of files in order, and the last piece is shorter', () => {
  const layout = layoutOf(7, 0, 6, 3, 8);
  expect(layout.pieceCount).toBe(3);
  expect([0, 1, 2].map((piece) => layout.pieceSize(piece))).toEqual([10, 10, 4]);
  expect(layout.segmentsOf(0)).toEqual([
    { file: 0, start: 0, at: 0, size: 7 },
    { file: 2, start: 0, at: 7, size: 3 },
  ]);
  expect(layout.segmentsOf(1)).toEqual([
    { file: 2, start: 3, at: 0, size: 3 },
    { file: 3, start: 0, at: 3, size: 3 },
    { file: 4, start: 0, at: 6, size: 4 },
  ]);
  expect(layout.segmentsOf(2)).toEqual([{ file: 4, start: 4, at: 0, size: 4 }]);
});

test('the first piece is the highest bit of the first byte', () => {
  const bits = createBits(12);
  bits.add(0);
  bits.add(9);
  expect([...bits.bytes]).toEqual([0x80, 0x40]);
  expect([bits.has(0), bits.has(1), bits.has(9)]).toEqual([true, false, true]);
  bits.delete(0);
  expect([...bits.bytes]).toEqual([0, 0x40]);
});
