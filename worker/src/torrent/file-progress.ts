import type { Bits, Layout } from './layout.ts';
import type { Torrent } from './torrent-file.ts';

/** Tracks which pieces and how much of each file have been received. */
export interface FileProgress {
  /** Adds a piece. Returns the files that it completes. */
  add(piece: number): number[];
  has(piece: number): boolean;
  isWhole(file: number): boolean;
  received(file: number): number;
  /** Returns the files that a piece has bytes of. */
  filesOf(piece: number): number[];
}

export function createFileProgress(torrent: Torrent, layout: Layout, found: Bits): FileProgress {
  const here = found;
  const received = new Float64Array(torrent.files.length);
  const lacking = Uint32Array.from(torrent.files, (_, file) => {
    const pieces = layout.piecesOf(file);
    return pieces ? pieces.to - pieces.from + 1 : 0;
  });

  function count(piece: number): number[] {
    const whole: number[] = [];
    for (const { file, size } of layout.segmentsOf(piece)) {
      received[file]! += size;
      lacking[file]! -= 1;
      if (lacking[file] === 0) whole.push(file);
    }
    return whole;
  }

  for (let piece = 0; piece < layout.pieceCount; piece += 1) if (here.has(piece)) count(piece);
  return {
    add(piece) {
      if (here.has(piece)) return [];
      here.add(piece);
      return count(piece);
    },
    has: (piece) => here.has(piece),
    isWhole: (file) => lacking[file] === 0,
    received: (file) => received[file]!,
    filesOf: (piece) => layout.segmentsOf(piece).map(({ file }) => file),
  };
}

/** Returns the piece ranges of files, in order, with adjacent ones merged, at most `most`. */
export function rangesOf(
  files: Iterable<number>,
  layout: Layout,
  most: number,
): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const file of files) {
    const pieces = layout.piecesOf(file);
    if (!pieces) continue;
    const last = ranges.at(-1);
    if (last && pieces.from <= last.to + 1) last.to = Math.max(last.to, pieces.to);
    else if (ranges.length === most) break;
    else ranges.push({ ...pieces });
  }
  return ranges;
}
