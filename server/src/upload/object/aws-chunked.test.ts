import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadChunks, decodeChunks } from './aws-chunked.ts';

async function decode(
  body: Buffer | string,
  pieceSize = 7,
): Promise<{ text: string; trailers: Record<string, string> }> {
  const bytes = Buffer.from(body as string);
  const trailers: Record<string, string> = {};
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  }
  const chunks = await Array.fromAsync(decodeChunks(pieces(), (name, value) => (trailers[name] = value)));
  return { text: Buffer.concat(chunks).toString('latin1'), trailers };
}

const signature = `;chunk-signature=${'a'.repeat(64)}`;

test('signed chunks are decoded to their content alone', async () => {
  const { text } = await decode(`5${signature}\r\nhello\r\n6${signature}\r\n world\r\n0${signature}\r\n\r\n`);
  expect(text).toBe('hello world');
});

test('trailing headers are parsed', async () => {
  const { text, trailers } = await decode('2\r\n\r\n\r\n0\r\nX-Amz-Checksum-CRC32: AAAAAA==\r\n\r\n');
  expect(text).toBe('\r\n');
  expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'AAAAAA==' });
});

test('any content is decoded unchanged, however it is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      async (chunks, pieceSize) => {
        const body = Buffer.concat([
          ...chunks.flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            Buffer.from(chunk),
            Buffer.from('\r\n'),
          ]),
          Buffer.from('0\r\n\r\n'),
        ]);
        const { text } = await decode(body, pieceSize);
        expect(text).toBe(Buffer.concat(chunks).toString('latin1'));
      },
    ),
  );
});

test.each([
  ['no last chunk', '5\r\nhello\r\n'],
  ['a chunk that ends early', '9\r\nhello'],
  ['a chunk that is longer than its stated size', '3\r\nhello\r\n0\r\n\r\n'],
  ['an invalid size', 'zz\r\nhello\r\n0\r\n\r\n'],
  ['an endless line', 'a'.repeat(20_000)],
  ['no bytes at all', ''],
])('a body with %s is rejected', async (_what, body) => {
  await expect(decode(body)).rejects.toThrow(BadChunks);
});

test('an endless line is rejected before much of it is read', async () => {
  let sent = 0;
  async function* endless() {
    for (; sent < 2 ** 22; sent += 1024) yield Buffer.alloc(1024, 'a');
  }
  await expect(Array.fromAsync(decodeChunks(endless()))).rejects.toThrow('a line is too long');
  expect(sent).toBeLessThanOrEqual(2 ** 15);
});
