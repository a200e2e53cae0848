import { expect, test } from 'vitest';
import { gcidBlockSize } from './gcid.ts';

test.each([
  [0, 262_144],
  [1, 262_144],
  // 512 blocks of 256 KiB hold at most 128 MiB, and so on.
  [134_217_728, 262_144],
  [134_217_729, 524_288],
  [268_435_456, 524_288],
  [268_435_457, 1_048_576],
  [536_870_912, 1_048_576],
  [536_870_913, 2_097_152],
  [1_073_741_825, 2_097_152],
  [1_099_511_627_776, 2_097_152],
])('a file of %d bytes is hashed in blocks of %d', (size, block) => {
  expect(gcidBlockSize(size)).toBe(block);
});
