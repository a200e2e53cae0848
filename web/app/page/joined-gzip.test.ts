import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTemplate, type Gap } from './joined-gzip.ts';

const filledWith = (parts: readonly (Buffer | Gap)[], values: readonly string[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(values[part.slot]!, 'latin1'))),
  );

test('a template filled with any values is the text with these values, plain and as a valid gzip stream', async () => {
  const text = fc.oneof(
    fc.uint8Array(),
    fc.string({ maxLength: 2000 }),
    fc.constant('<p>'.repeat(70_000)),
    fc.nat(2),
  );
  const lengths = fc.tuple(fc.nat(40), fc.nat(400), fc.constant(0));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 12 }), lengths, fc.nat(255), async (texts, bytes, seed) => {
      const parts = texts.map((some) =>
        typeof some === 'number' ? { slot: some, bytes: bytes[some]! } : Buffer.from(some as string),
      );
      const template = await createTemplate(parts);
      for (const start of [seed, seed + 7]) {
        const values = bytes.map((length) =>
          String.fromCharCode(...Array.from({ length }, (_, at) => (start + at * 31) % 256)),
        );
        const expected = filledWith(parts, values);
        expect(template.filled(values, false)!.equals(expected)).toBe(true);
        expect(gunzipSync(template.filled(values, true)!).equals(expected)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('a value of another length isn’t written over the text', async () => {
  const template = await createTemplate([Buffer.from('a'), { slot: 0, bytes: 3 }, Buffer.from('b')]);
  for (const isCompressed of [false, true]) {
    for (const value of ['xx', 'xxxx', '']) expect(template.filled([value], isCompressed)).toBeUndefined();
    expect(template.filled(['xyz'], isCompressed)).toBeDefined();
  }
  expect(template.filled([], false)).toBeUndefined();
});

test('text that occurs often takes little space', async () => {
  const text = Buffer.from('a row of a list '.repeat(5000));
  const template = await createTemplate([text]);
  expect(template.filled([], true)!.length).toBeLessThan(text.length / 50);
});
