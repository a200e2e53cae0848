import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { md5 } from './md5.ts';

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    '57edf4a22be3c955ac49da2e2107b67a',
  ],
])('the digest of %j matches RFC 1321', (text, digest) => expect(md5(text)).toBe(digest));

test('texts of any length and script have the same digest as in Node', () => {
  for (let length = 0; length < 200; length++) {
    const text = '日a'.repeat(length).slice(0, length);
    expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
  }
});
