const KIB = 1024;
const SMALLEST_BLOCK = 256 * KIB;
const LARGEST_BLOCK = 2048 * KIB;
const MOST_BLOCKS = 512;

/**
 * Block size, in bytes, for hashing a file of `size` bytes: 256 KiB, doubled while the file has more than 512 blocks,
 * up to 2 MiB.
 *
 * The gcid of a file is the SHA-1 over the raw SHA-1 digests of its blocks (upper-case hex, 40 characters). Our own
 * content hash is built the same way from SHA-256 over the blocks' raw SHA-256 digests (lower-case hex, 64
 * characters), so both can be computed from parts that were hashed as they arrived. See docs/formats.md.
 */
export function gcidBlockSize(size: number): number {
  let block = SMALLEST_BLOCK;
  while (size / block > MOST_BLOCKS && block < LARGEST_BLOCK) block *= 2;
  return block;
}

/** The gcid of an empty file: the SHA-1 of no bytes. */
export const EMPTY_GCID = 'DA39A3EE5E6B4B0D3255BFEF95601890AFD80709';

/** Total size in bytes of the three windows that a cid is computed from. Files up to this size are hashed whole. */
export const CID_WINDOW = 20_480;
export const CID_WHOLE = 61_440;

/** Byte ranges `[start, end)` of a file whose concatenated bytes are hashed for its cid (SHA-1, upper-case hex). */
export function cidWindows(size: number): [start: number, end: number][] {
  if (size <= CID_WHOLE) return [[0, size]];
  const middle = Math.floor(size / 3);
  return [
    [0, CID_WINDOW],
    [middle, middle + CID_WINDOW],
    [size - CID_WINDOW, size],
  ];
}
