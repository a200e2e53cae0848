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

/** Chunks whose memory is released when the next one is requested, as those of a request. */
async function* lent(bytes: Buffer, size: number, onRequest = () => {}): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    onRequest();
    const chunk = Buffer.from(new Uint8Array(bytes.subarray(at, at + size)).buffer);
    yield chunk;
    (chunk.buffer as ArrayBuffer).transfer(0);
  }
}

const END = '\r\n--edge--\r\n';

test('a chunk is parsed completely before the next one is requested', async () => {
  const likeDelimiters = fc.constantFrom('\r', '\n', '-', '\r\n', '\r\n--', '\r\n--edg', '\r\n--edgf', 'x');
  await fc.assert(
    fc.asyncProperty(
      fc.array(likeDelimiters, { maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      async (words, size) => {
        const body = Buffer.from(field('key', 'one') + file(words.join('')) + END);
        const { fields, content } = await openForm(lent(body, size), 'edge');
        let text = '';
        for await (const piece of content) text += Buffer.from(piece).toString('latin1');
        expect(text).toBe(words.join(''));
        expect([...fields]).toEqual([['key', 'one']]);
      },
    ),
  );
});

test('a large file is read at the pace of its reader, and held in no more than a chunk', async () => {
  const size = 64 * 1024;
  const bytes = Buffer.alloc(40 * size, 'a large file\r\n--edg');
  let requested = 0;
  const body = Buffer.concat([Buffer.from(file('')), bytes, Buffer.from(END)]);
  const { content } = await openForm(
    lent(body, size, () => requested++),
    'edge',
  );
  expect(requested).toBe(1);
  let received = 0;
  for await (const piece of content) {
    expect(Buffer.from(piece).equals(bytes.subarray(received, received + piece.length))).toBe(true);
    received += piece.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(requested * size - received).toBeLessThanOrEqual(size + 1024);
  }
  expect(received).toBe(bytes.length);
});

test('a form may have fifty fields of 64 KiB, and no more', async () => {
  const most = 'x'.repeat(64 * 1024);
  const fields = (count: number) =>
    Array.from({ length: count }, (_, at) => field(`f${at}`, most)).join('') + file('it') + END;
  const { fields: found, content } = await read(fields(50), 50_000);
  expect(Object.keys(found)).toHaveLength(50);
  expect(found['f49']).toBe(most);
  expect(content.toString()).toBe('it');
  await expect(read(fields(51), 50_000)).rejects.toThrow('too many fields');
  for (const size of [7, 50_000, 2 ** 20])
    await expect(read(field('key', `${most}x`) + file('it') + END, size)).rejects.toThrow('too long');
});

test.each<[string, string]>([
  ['field', '--edge\r\nContent-Disposition: form-data; name="key"\r\n\r\n'],
  ['header', '--edge\r\nContent-Disposition: form-data; name="key'],
  ['list of headers', '--edge\r\n'],
  ['text before the form', ''],
])('an endless %s is rejected after 200 kB', async (_, start) => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    for (;;) {
      sent += 10_000;
      yield Buffer.from('a: b c d\r\n'.repeat(1000));
    }
  }
  await expect(openForm(endless(), 'edge')).rejects.toThrow(BadForm);
  expect(sent).toBeLessThan(200_000);
});

test('too many parts before or after the file are rejected', async () => {
  const empty = '--edge\r\n\r\n\r\n'.repeat(1000);
  await expect(read(empty + file('it') + END, 4096)).rejects.toThrow('too many fields');
  await expect(read(`${file('it')}\r\n${empty}--edge--`, 4096)).rejects.toThrow('too many fields');
});

test('a form that is truncated anywhere is rejected', async () => {
  const body = Buffer.from(`${field('key', 'one')}${file('content')}\r\n${field('late', 'x')}--edge--`);
  for (let length = 0; length < body.length; length++)
    for (const size of [1, 7, 1000])
      await expect(read(body.subarray(0, length), size), `${length} bytes`).rejects.toThrow(BadForm);
  expect((await read(body)).content.toString()).toBe('content');
});

test('a connection that breaks ends the content with its own error', async () => {
  const broken = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  for (const sent of [field('key', 'one'), file('half of it'), file('all of it') + '\r\n--edge\r\n']) {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(sent);
      throw broken;
    }
    const received = openForm(source(), 'edge').then(({ content }) => Array.fromAsync(content));
    await expect(received).rejects.toBe(broken);
  }
});

test('names of fields are only names', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'x:user_data'];
  const { fields } = await openForm(
    pieces(Buffer.from(names.map((name) => field(name, name)).join('') + file('') + END), 9),
    'edge',
  );
  expect([...fields]).toEqual(names.map((name) => [name.toLowerCase(), name]));
});

test('a second file is ignored, and a part with a file name that is not the file is a field', async () => {
  const named = '--edge\r\nContent-Disposition: form-data; name="key"; filename="k"\r\n\r\nvalue\r\n';
  const { fields, content } = await read(`${named}${file('first')}\r\n${file('second')}${END}`);
  expect(fields).toEqual({ key: 'value' });
  expect(content.toString()).toBe('first');
});

test('random forms are parsed or rejected, and never keep their reader waiting', async () => {
  const word = fc.constantFrom(
    ...['--edge', '\r\n--edge', '--edge--', '\r\n--edge--', '--', '\r\n', '\r', '\n', '\r\n\r\n', ':', 'x'],
    ...['Content-Disposition: form-data', '; name="file"', '; name="a"', '; filename="', '"', '\0', '\\'],
    ...[
      'Content-Disposition: form-data; name="file"\r\n\r\n',
      'Content-Type: text/plain; charset=',
      'base64',
    ],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 25 }),
      fc.integer({ min: 1, max: 99 }),
      async (words, size) => {
        const outcome = await read(words.join(''), size).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BadForm);
      },
    ),
    { numRuns: 1000, interruptAfterTimeLimit: 20_000 },
  );
});
