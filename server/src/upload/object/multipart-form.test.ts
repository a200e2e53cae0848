import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadForm, boundaryOf, openForm } from './multipart-form.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(body: Buffer | string, size = 5) {
  const { fields, content } = await openForm(pieces(Buffer.from(body as string), size), 'edge');
  const chunks = (await Array.fromAsync(content)).map((chunk) => Buffer.from(chunk));
  return { fields: Object.fromEntries(fields), content: Buffer.concat(chunks) };
}

const field = (name: string, value: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: x/y\r\n\r\n${content}`;

test('fields and the file are separated, and anything after the file is ignored', async () => {
  const { fields, content } = await read(
    `${field('Key', 'one')}${field('policy', 'two\r\nlines')}${file('the \r\n--edg of it')}\r\n${field('late', 'x')}--edge--\r\n`,
  );
  expect(fields).toEqual({ key: 'one', policy: 'two\r\nlines' });
  expect(content.toString()).toBe('the \r\n--edg of it');
});

test('any content is parsed unchanged, however it is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }),
      async (bytes, size) => {
        const body = Buffer.concat([
          Buffer.from(file('')),
          Buffer.from(bytes),
          Buffer.from('\r\n--edge--\r\n'),
        ]);
        const { content } = await read(body, size);
        expect(content.equals(Buffer.from(bytes))).toBe(true);
      },
    ),
  );
});

test('a form that is truncated, endless or without a file is rejected', async () => {
  await expect(read(file('half of it'))).rejects.toThrow(BadForm);
  await expect(read(`${field('key', 'x')}--edge--\r\n`)).rejects.toThrow(BadForm);
  await expect(read(field('key', 'x'.repeat(100_000)), 4096)).rejects.toThrow(BadForm);
  await expect(read('no form at all')).rejects.toThrow(BadForm);
});

test('a boundary is parsed with and without quotes', () => {
  expect(boundaryOf('multipart/form-data; boundary="a b"')).toBe('a b');
  expect(boundaryOf('multipart/form-data; charset=x; boundary=ab')).toBe('ab');
  expect(boundaryOf('application/json')).toBeUndefined();
});
