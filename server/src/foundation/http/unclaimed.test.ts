import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '@bowerbird/contract';
import { openTestApp, type TestApp } from '../../../testing/index.ts';

/** Pages that answer any request, in chunks, as the real ones do. */
const PAGES = `export const entry = { module: { createHandler: () => async () =>
  new Response('<!doctype html><title>page</title>', { status: 404, headers: { 'content-type': 'text/html' } }) } };`;
const DAV = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH'];
const PREFIXES = [...new Set(ENDPOINTS.map(({ path }) => /^\/(?:[^/]+\/)?(?:v1|[\w-]+)/.exec(path)![0]))];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

describe.each([['https://drive.example.org'], ['']])('with the address "%s"', (siteUrl) => {
  let app: TestApp;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bowerbird-pages-'));
    await mkdir(join(folder, 'server'));
    await mkdir(join(folder, 'client'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'server/index.js'), PAGES);
    app = await openTestApp({ environment: { SITE_URL: siteUrl }, pages: { built: folder } });
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    port = (app.http.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const ask = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ port, method, path, headers: { host: 'drive.example.org', ...headers } });
      outgoing.on('response', (reply) => {
        let text = '';
        reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, text }));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const expectShort = ({ headers, text, status }: Answer, what: string): void => {
    expect(headers['transfer-encoding'], what).toBeUndefined();
    if (status !== 204) expect(headers['content-length'], what).toBe(String(Buffer.byteLength(text)));
    expect(String(headers['content-type']), what).not.toContain('html');
  };
  const expectError = (answer: Answer, what: string): void => {
    expectShort(answer, what);
    expect(JSON.parse(answer.text), what).toMatchObject({ error: 'not_found', error_code: 5 });
    expect(answer.status, what).toBe(404);
  };

  test.each(DAV)('%s outside the drive gets a short response with a length', async (method) => {
    for (const path of ['/', '/no-such', '/drive/all', '/ru/faq']) {
      const answer = await ask(method, path, { depth: '0' }, '<propfind xmlns="DAV:"/>');
      expect(answer.status, path).toBe(405);
      expect(answer.headers['allow'], path).toBe('GET, HEAD, OPTIONS');
      expectShort(answer, path);
    }
    expectError(await ask(method, '/v1/nothing'), method);
  });

  test('a method that the drive does not support is rejected there without a page', async () => {
    for (const method of ['REPORT', 'SEARCH', 'POST', 'PATCH', 'ACL', 'MKCALENDAR']) {
      const answer = await ask(method, '/dav/');
      expect(answer.status, method).toBe(405);
      expect(answer.headers['allow'], method).toContain('PROPFIND');
      expectShort(answer, method);
    }
  });

  test('OPTIONS returns the methods of pages, and mentions WebDAV at the root only', async () => {
    const page = await ask('OPTIONS', '/faq');
    expect([page.status, page.headers['allow'], page.headers['dav']]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      undefined,
    ]);
    expect((await ask('OPTIONS', '/')).headers['dav']).toBe('1, 2, 3');
  });

  test('an unknown path below any prefix of the API returns an error in JSON, whatever the Accept header says', async () => {
    for (const prefix of [...PREFIXES, '/phrase/v1', '/v0/screenshot-thumbnails'])
      for (const accept of ['application/json', 'text/html', '*/*'])
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const path = `${prefix}/nothing/here`;
          expectError(await ask(method, path, { accept }), `${method} ${path} ${accept}`);
        }
  });

  test('a host of the API serves no pages', async () => {
    for (const label of ['user', 'api-drive', 'access', 'config', 'dl-a10'])
      for (const path of ['/', '/nothing', '/vip/v1/nothing', '/drive/nothing'])
        expectError(await ask('GET', path, { host: `${label}.example.org` }), `${label} ${path}`);
  });

  test('page addresses serve pages', async () => {
    for (const path of ['/', '/no-such', '/drive/all', '/drive/v1.txt', '/v1.0'])
      for (const method of ['GET', 'POST'])
        expect((await ask(method, path)).text, `${method} ${path}`).toContain('<title>page</title>');
    const own = await ask('GET', '/faq', { host: 'user.example.org', accept: 'text/html' });
    expect(own.text.includes('<title>')).toBe(siteUrl === '');
  });

  test('the bucket returns errors in its own format', async () => {
    const answer = await ask('GET', '/bowerbird-upload/a/b');
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/xml; charset=utf-8']);
    expect(answer.text).toContain('<Code>NoSuchKey</Code>');
  });
});
