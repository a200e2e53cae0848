import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressedPiece, joinedGzip, plainPiece } from './joined-gzip.ts';

test('pieces that were compressed one by one are one valid stream in any order', async () => {
  const piece = fc.oneof(fc.uint8Array(), fc.string({ maxLength: 2000 }), fc.constant('<p>'.repeat(70_000)));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 8 }), async (pieces) => {
      const texts = pieces.map(([text]) => Buffer.from(text as string));
      const parts = await Promise.all(
        texts.map(async (text, at) =>
          pieces[at]![1] && text.length < 65_536 ? plainPiece(text) : compressedPiece(text),
        ),
      );
      expect(gunzipSync(joinedGzip(parts, texts)).equals(Buffer.concat(texts))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('text that occurs often takes little space', async () => {
  const text = Buffer.from('a row of a list '.repeat(5000));
  expect(joinedGzip([await compressedPiece(text)], [text]).length).toBeLessThan(text.length / 50);
});
