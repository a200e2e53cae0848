import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../testing/index.ts';

const loads = globalThis as { loadedPages?: number };
const PAGES = `globalThis.loadedPages = (globalThis.loadedPages ?? 0) + 1;
export const entry = { module: { createHandler: () => async ({ url }) =>
  new Response(url.includes('long') ? '<p>long</p>'.repeat(1000) : 'a page', { status: 404, headers: { 'content-type': 'text/html' } }) } };`;
const SCRIPT = 'console.log("a script that is served as it is")';
let app: TestApp;
let folder: string;

async function writeBuild(): Promise<string> {
  const built = await mkdtemp(join(tmpdir(), 'bowerbird-pages-'));
  const files: Record<string, string | Buffer> = {
    'package.json': '{"type":"module"}',
    'server/index.js': PAGES,
    'client/favicon.svg': '<svg/>',
    'client/assets/app-1a2b.js': SCRIPT,
    'client/assets/app-1a2b.js.gz': gzipSync(SCRIPT),
    'client/assets/fonts/one.woff2': 'font',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(built, path, '..'), { recursive: true });
    await writeFile(join(built, path), content);
  }
  return built;
}

beforeAll(async () => {
  folder = await writeBuild();
  app = await openTestApp({ pages: { built: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.http.inject({ url, headers });

test('assets are kept forever by browsers, and other files for an hour', async () => {
  for (const [path, body, age] of [
    ['/assets/app-1a2b.js', SCRIPT, 'public, max-age=31536000, immutable'],
    ['/assets/fonts/one.woff2', 'font', 'public, max-age=31536000, immutable'],
    ['/favicon.svg', '<svg/>', 'public, max-age=3600'],
  ]) {
    const { statusCode, headers, payload } = await get(path!);
    expect({ statusCode, payload, age: headers['cache-control'] }).toEqual({
      statusCode: 200,
      payload: body,
      age,
    });
  }
});

test('assets are sent compressed to those who accept it, and HEAD has their length', async () => {
  const { headers, rawPayload } = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  expect(rawPayload).toEqual(gzipSync(SCRIPT));
  const head = await app.http.inject({ method: 'HEAD', url: '/assets/app-1a2b.js' });
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(SCRIPT.length)]);
});

test.each([
  '/assets/missing.js',
  '/assets/',
  '/assets/fonts',
  '/assets/../package.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/server/index.js',
  '/package.json',
  '/missing',
])('%s is answered by the pages', async (path) => {
  const { statusCode, payload } = await get(path);
  expect({ statusCode, payload }).toEqual({ statusCode: 404, payload: 'a page' });
});

test('the pages are loaded by the first request for one, and only once', async () => {
  const built = await writeBuild();
  loads.loadedPages = 0;
  const other = await openTestApp({ pages: { built } });
  await other.http.inject('/healthz');
  await other.http.inject('/assets/app-1a2b.js');
  expect(loads.loadedPages).toBe(0);
  const pages = await Promise.all(['/', '/ru'].map((path) => other.http.inject(path)));
  expect(pages.map(({ payload }) => payload)).toEqual(['a page', 'a page']);
  expect(loads.loadedPages).toBe(1);
  await other.close();
  await rm(built, { recursive: true });
});

test.each([
  ['gzip, deflate', 'gzip', gunzipSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['identity', undefined, (page: Buffer) => page],
] as const)(
  'browsers that accept %s get a page in one piece, compressed',
  async (accepted, coding, decoded) => {
    const { headers, rawPayload } = await get('/long', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(decoded(rawPayload).toString()).toBe('<p>long</p>'.repeat(1000));
  },
);

test('a short page is sent as it is', async () => {
  const { headers, payload } = await get('/short', { 'accept-encoding': 'gzip, br' });
  expect([headers['content-encoding'], payload]).toEqual([undefined, 'a page']);
});
