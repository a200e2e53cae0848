import type { PackedFormat } from './packed-archive.ts';

const MAGIC: readonly (readonly [PackedFormat, number, string])[] = [
  ['7z', 0, '377abcaf271c'],
  ['Rar5', 0, '526172211a070100'],
  ['Rar', 0, '526172211a0700'],
  ['tar', 257, '7573746172'],
];
/** Bytes at the front of a file that tell what it is. */
export const FORMAT_BYTES = 512;

/** What an archive is, by its first bytes and whatever its name; a zip is known by its end, so it is what nothing else is. */
export function formatOf(head: Buffer): PackedFormat | 'zip' {
  const found = MAGIC.find(
    ([, at, magic]) => head.subarray(at, at + magic.length / 2).toString('hex') === magic,
  );
  return found?.[0] ?? 'zip';
}
