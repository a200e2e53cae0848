import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOfLines, decoded, guessEncoding, isNoText, readBeginning } from './text-file.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('the encoding of a text', () => {
  it.each([
    ['a mark', bytes(0xff, 0xfe, 0x41, 0), 'utf-16le'],
    ['the other mark', bytes(0xfe, 0xff, 0, 0x41), 'utf-16be'],
    ['zeros after letters', bytes(0x41, 0, 0x42, 0, 0x43, 0, 0x44, 0), 'utf-16le'],
    ['letters of UTF-8', new TextEncoder().encode('Größe 日本'), 'utf-8'],
    ['UTF-8 that the end cuts', new TextEncoder().encode('日本').subarray(0, 5), 'utf-8'],
  ])('is detected from %s', (_, text, encoding) => {
    expect(guessEncoding(text)).toBe(encoding);
  });

  it.each([
    ['windows-1251', bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2), 'Привет'],
    ['Shift-JIS', bytes(0x93, 0xfa, 0x96, 0x7b), '日本'],
    ['GBK', bytes(0xcb, 0xb5, 0xc3, 0xf7, 0x0a, 0xce, 0xc4, 0xbc, 0xfe), '说明\n文件'],
    ['a code page of DOS', bytes(0x66, 0x81, 0x72, 0x0a, 0x70, 0x6c, 0x84, 0x6e, 0x65), 'für\npläne'],
    [
      'windows-1252 behind plain lines',
      bytes(
        ...'a'
          .repeat(900)
          .split('')
          .map(() => 0x61),
        0x0a,
        0x66,
        0xfc,
        0x72,
      ),
      `${'a'.repeat(900)}\nfür`,
    ],
  ])('is detected from its words in %s', (_, text, read) => {
    expect(decoded(text, guessEncoding(text))).toBe(read);
  });
});

describe('lines', () => {
  it('keep their numbers with any line endings', () => {
    expect(blocksOfLines('a\r\nb\nc\rd').flat()).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, text: 'c' },
      { number: 4, text: 'd' },
    ]);
  });

  it('that are very long are split into pieces without loss', () => {
    const text = 'x'.repeat(9001);
    const pieces = blocksOfLines(`${text}\nend`).flat();
    expect(pieces.map(({ number }) => number)).toEqual([1, undefined, undefined, 2]);
    expect(
      pieces
        .slice(0, 3)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});

describe('the beginning of a file', () => {
  let server: Server;
  let address = '';
  beforeAll(async () => {
    server = createServer(({ url, headers }, reply) => {
      const content = Buffer.from('0123456789');
      if (url === '/empty') return reply.writeHead(416).end();
      if (url === '/broken') return reply.writeHead(500).end();
      const to = url === '/ranged' ? Number(/-(\d+)/.exec(headers.range ?? '')?.[1]) : undefined;
      if (to === undefined) return reply.end(content);
      return reply.writeHead(206, { 'content-range': `bytes 0-${to}/10` }).end(content.subarray(0, to + 1));
    }).listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  const { signal } = new AbortController();

  it('is all that is read, even if the server ignores ranges', async () => {
    for (const path of ['/ranged', '/whole']) {
      const beginning = await readBeginning(address + path, signal, 4);
      expect(decoded(beginning.bytes, 'utf-8')).toBe('0123');
      expect(beginning.isCut).toBe(true);
    }
    expect((await readBeginning(`${address}/ranged`, signal, 10)).isCut).toBe(false);
  });

  it('of an empty file is empty, and of a broken one an error', async () => {
    expect((await readBeginning(`${address}/empty`, signal)).bytes).toHaveLength(0);
    await expect(readBeginning(`${address}/broken`, signal)).rejects.toThrow('status 500');
  });
});

describe('a file without an extension', () => {
  it.each([
    ['words of any language', 'Сделай так:\n\tmake install\n', false],
    ['nothing', '', false],
    ['a program', '\u007fELF\u0002\u0001\u0001\0\0\0\0\0\0\0\0', true],
    ['a picture', '\ufffdPNG\r\n\u001a\n\0\0\0\rIHDR', true],
  ])('containing %s counts as binary: %j', (_, content, expected) => {
    expect(isNoText(content)).toBe(expected);
  });
});
