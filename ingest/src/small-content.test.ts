import { createHash, randomBytes } from 'node:crypto';
import { CID_WHOLE, cidWindows, gcidBlockSize } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { assembleBlocks } from './content-hash.ts';
import { digestBlocks } from './digest-blocks.ts';
import { identifySmall, SMALL_FILE } from './small-content.ts';

test.each([0, 1, 4096, CID_WHOLE, CID_WHOLE + 1, SMALL_FILE])(
  'a small file of %i bytes has the identifiers that it would have in parts',
  (size) => {
    const bytes = randomBytes(size);
    const digests = digestBlocks(bytes, gcidBlockSize(size));
    const content = assembleBlocks([{ size, position: 0, digests }]).content();
    const hash = (algorithm: string, content: Uint8Array) =>
      createHash(algorithm).update(content).digest('hex');
    const windows = Buffer.concat(cidWindows(size).map(([start, end]) => bytes.subarray(start, end)));
    expect(identifySmall(bytes)).toEqual({
      ...content,
      cid: hash('sha1', windows).toUpperCase(),
      checksums: { sha1: hash('sha1', bytes), md5: hash('md5', bytes) },
    });
  },
);

test('a file of several blocks is not small', () => {
  expect(() => identifySmall(Buffer.alloc(SMALL_FILE + 1))).toThrow(RangeError);
});
