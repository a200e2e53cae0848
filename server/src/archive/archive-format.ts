import type { PackedFormat } from './packed-archive.ts';

const MAGIC: readonly (readonly [PackedFormat, number, string])[] = [
  ['7z', 0, '377abcaf271c'],
  ['Rar5', 0, '526172211a070100'],
  ['Rar', 0, '526172211a0700'],
  ['tar', 257, '7573746172'],
];
/** Number of bytes at the front of a file that identify its format. */
export const FORMAT_BYTES = 512;

/**
 * Detects an archive's format from its first bytes, whatever its name. A zip is identified by its end, so
 * every other file counts as a zip.
 */
export function formatOf(head: Buffer): PackedFormat | 'zip' {
  const found = MAGIC.find(
    ([, at, magic]) => head.subarray(at, at + magic.length / 2).toString('hex') === magic,
  );
  return found?.[0] ?? 'zip';
}
