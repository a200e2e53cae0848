import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';
import { readText, type TextRequest } from './read-text.ts';
import { startOrigin, type Origin } from './testing/origin.ts';

const PATIENT = { ...DEFAULT_TIMEOUTS, openMs: 500, idleMs: 500 };

let origin: Origin;
beforeEach(async () => {
  origin = await startOrigin();
});
afterEach(() => origin.close());

const read = (request: Partial<TextRequest> = {}) =>
  readText({ url: origin.url('/feed'), maxBytes: 100_000, ...request }, AbortSignal.timeout(5000), PATIENT);

function answer(body: string | Uint8Array, headers: Record<string, string> = {}): void {
  origin.handler = (_, response) => response.writeHead(200, headers).end(body);
}

describe('a text', () => {
  test('is read through redirects, and reports its final address', async () => {
    origin.handler = (request, response) =>
      request.url === '/feed'
        ? response.writeHead(302, { location: '/real?x=1' }).end()
        : response.writeHead(200).end('<rss/>');
    expect(await read()).toEqual({ url: origin.url('/real?x=1'), text: '<rss/>' });
  });

  test('is not transferred again while it is unchanged', async () => {
    origin.handler = (request, response) =>
      request.headers['if-none-match'] === 'W/"a"'
        ? response.writeHead(304).end()
        : response
            .writeHead(200, { etag: 'W/"a"', 'last-modified': 'Fri, 27 Nov 2026 10:00:00 GMT' })
            .end('one');
    const { text, validator } = await read();
    expect(text).toBe('one');
    expect(await read({ validator: validator! })).toEqual({
      url: origin.url('/feed'),
      text: '',
      validator,
      notModified: true,
    });
    expect(origin.requests[1]!.headers['if-modified-since']).toBe('Fri, 27 Nov 2026 10:00:00 GMT');
  });

  test('sends the member’s headers to their own site only', async () => {
    const other = await startOrigin((_, response) => response.end('elsewhere'));
    origin.handler = (_, response) => response.writeHead(302, { location: other.url('/') }).end();
    await read({ headers: { cookie: 'uid=7' } });
    expect(origin.requests[0]!.headers.cookie).toBe('uid=7');
    expect(other.requests[0]!.headers.cookie).toBeUndefined();
    await other.close();
  });

  test.each([
    ['the header', 'text/xml; charset="windows-1251"', Buffer.from([0xcf, 0xf2, 0xe8, 0xf6, 0xe0])],
    [
      'the declaration',
      'text/xml',
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?>\xcf\xf2\xe8\xf6\xe0', 'latin1'),
    ],
    ['UTF-8 in spite of an unknown charset', 'text/xml; charset=nonsense', Buffer.from('Птица')],
    ['the mark, whatever the header says', 'text/xml; charset=latin1', Buffer.from('\ufeffПтица', 'utf16le')],
    ['its first bytes', 'text/xml', Buffer.from('<?xml version="1.0" encoding="UTF-16"?>Птица', 'utf16le')],
    [
      'UTF-8 where UTF-16 is only claimed',
      'text/xml',
      Buffer.from('<?xml version="1.0" encoding="UTF-16"?>Птица'),
    ],
  ])('is decoded by %s', async (_, type, body) => {
    answer(body, { 'content-type': type });
    expect((await read()).text).toMatch(/Птица$/);
  });

  test('compressed without being asked for is read too', async () => {
    answer(gzipSync('<rss>blue</rss>'), { 'content-encoding': 'gzip' });
    expect((await read()).text).toBe('<rss>blue</rss>');
  });
});

describe('a text request', () => {
  const refusal = (request?: Partial<TextRequest>): Promise<unknown> =>
    read(request).then(
      () => 'read',
      ({ failure }: { failure?: { error: string } }) => failure?.error,
    );

  function pour(response: ServerResponse, chunk: Buffer): void {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', () => pour(response, chunk));
  }

  test('is rejected at its announced size, and if the body never ends', async () => {
    answer(Buffer.alloc(100_001));
    expect(await refusal()).toBe('source_too_large');
    origin.handler = (_, response) => pour(response.writeHead(200), Buffer.alloc(65_536, 'a'));
    expect(await refusal()).toBe('source_too_large');
  });

  test('is rejected if it decompresses to too much', async () => {
    answer(gzipSync(Buffer.alloc(50 * 2 ** 20)), { 'content-encoding': 'gzip' });
    expect(await refusal()).toBe('source_too_large');
  });

  test('is aborted if no data arrives', async () => {
    origin.handler = (_, response) => void response.writeHead(200).write('<rss>');
    expect(await refusal()).toBe('source_timed_out');
    origin.handler = () => {};
    expect(await refusal()).toBe('source_timed_out');
  });

  test.each([
    [404, 'source_not_found'],
    [403, 'source_denied'],
    [500, 'source_failed'],
    [304, 'source_failed'],
  ])('with status %i fails as %s', async (status, error) => {
    origin.handler = (_, response) => response.writeHead(status).end();
    expect(await refusal()).toBe(error);
  });

  test.each(['file:///etc/passwd', 'javascript:alert(1)', 'nonsense'])('to %s is not sent', async (url) => {
    expect(await refusal({ url })).toBe('link_unsupported');
  });
});
