import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { driveApi } from '@bowerbird/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, plant, upload, type Member, type TestApp } from '../../../testing/index.ts';
import { hasFfmpeg } from './thumbnailer.ts';

/** Returns a PNG of a single color; its header may declare a size other than the actual one. */
function png(width: number, height: number, said = { width, height }): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(said.width, 0);
  header.writeUInt32BE(said.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.concat(
    Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x55)])),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the width and height of a WebP. */
function webpSize(bytes: Buffer): [number, number] {
  expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
  const at = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  return [bytes.readUInt16LE(at + 3) & 0x3fff, bytes.readUInt16LE(at + 5) & 0x3fff];
}

let app: TestApp;
let ann: Member;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await openTestApp({ environment: { PATH: process.env['PATH'] ?? '' } });
  ann = await app.signUp('ann');
  ids = await plant(app, ann.id, {
    'wide.png': png(2000, 1000),
    'small.png': png(20, 10),
    'bomb.png': png(10, 10, { width: 60_000, height: 60_000 }),
    'broken.png': png(500, 500).subarray(0, 60),
    'not.png': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    'cut.png': png(500, 500).subarray(0, -30),
    'text.txt': 'x',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"/>',
    'broken.svg': '<svg',
    'empty.heic': 'ftypheic',
    'list.mp4': '#EXTM3U\nhttp://127.0.0.1:1/x.ts\n',
  });
});
afterAll(() => app.close());

const linkOf = async (name: string, size: string): Promise<string> =>
  (await ann.call(driveApi.get, { params: { id: ids[name]! }, query: { thumbnail_size: size } }))
    .thumbnail_link;
const fetchOf = async (name: string, size = 'SIZE_SMALL', headers: Record<string, string> = {}) => {
  const url = new URL(await linkOf(name, size));
  return app.visitor.inject({ url: url.pathname + url.search, headers });
};

test('an earlier version of a picture has its own thumbnail', async () => {
  const { id } = await upload(app, ann, 'replaced.png', png(40, 20));
  await upload(app, ann, 'replaced.png', png(20, 40), { conflict: 'replace' });
  const { versions } = await ann.call(driveApi.versions, { params: { id }, query: {} });
  const url = new URL(versions[0]!.thumbnail_link);
  const before = await app.visitor.inject({ url: url.pathname + url.search });
  expect(webpSize(before.rawPayload)).toEqual([40, 20]);
  const { thumbnail_link: now } = await ann.call(driveApi.get, { params: { id }, query: {} });
  const after = await app.visitor.inject({ url: new URL(now).pathname + new URL(now).search });
  expect(webpSize(after.rawPayload)).toEqual([20, 40]);
  // Neither link works for the other content.
  url.searchParams.delete('v');
  expect((await app.visitor.inject({ url: url.pathname + url.search })).statusCode).toBe(403);
});

test('a thumbnail is generated in the requested size and cached by clients', async () => {
  const small = await fetchOf('wide.png');
  expect(small.statusCode).toBe(200);
  expect(small.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringMatching(/^private, max-age=\d+, immutable$/) as string,
    'content-security-policy': expect.stringMatching(/^sandbox;/) as string,
  });
  expect(webpSize(small.rawPayload)).toEqual([256, 128]);
  expect(webpSize((await fetchOf('wide.png', 'SIZE_LARGE')).rawPayload)).toEqual([1280, 640]);
  expect(webpSize((await fetchOf('small.png')).rawPayload)).toEqual([20, 10]);
  expect(
    (await fetchOf('wide.png', 'SIZE_SMALL', { 'if-none-match': String(small.headers['etag']) })).statusCode,
  ).toBe(304);
  expect(await linkOf('wide.png', 'SIZE_SMALL')).toBe(await linkOf('wide.png', 'SIZE_SMALL'));
});

test('a file that is not a picture has no thumbnail and causes no crash', async () => {
  for (const name of ['bomb.png', 'broken.png', 'not.png', 'broken.svg', 'empty.heic'])
    expect((await fetchOf(name)).statusCode, name).toBe(404);
  expect(await linkOf('text.txt', 'SIZE_SMALL')).toBe('');
  expect((await fetchOf('wide.png')).statusCode).toBe(200);
});

test('a drawing has a thumbnail that is a picture', async () => {
  const drawn = await fetchOf('drawing.svg');
  expect(drawn.headers['content-type']).toBe('image/webp');
  expect(webpSize(drawn.rawPayload)).toEqual([256, 171]);
});

test('a truncated picture has a thumbnail of its readable part', async () => {
  const cut = await fetchOf('cut.png');
  expect(cut.statusCode).toBe(200);
  expect(webpSize(cut.rawPayload)).toEqual([256, 256]);
});

test('a thumbnail link works for that picture only', async () => {
  const url = new URL(await linkOf('wide.png', 'SIZE_SMALL'));
  url.searchParams.set('size', 'SIZE_LARGE');
  expect((await app.visitor.inject({ url: url.pathname + url.search })).statusCode).toBe(403);
  url.searchParams.set('size', 'SIZE_SMALL');
  expect((await app.visitor.inject({ url: `/download/${url.search}` })).statusCode).toBe(403);
});

test('a thumbnail is deleted with its bytes', async () => {
  const own = await plant(app, ann.id, { 'own.png': png(300, 200) });
  Object.assign(ids, own);
  expect((await fetchOf('own.png')).statusCode).toBe(200);
  const pictures = async (): Promise<number> =>
    (await Array.fromAsync(app.storage.list('thumbnail/'))).length;
  const before = await pictures();
  await ann.call(driveApi.remove, { params: { id: own['own.png']! } });
  expect(await app.drive.collector.collect(new AbortController().signal, 0)).toBe(1);
  expect(await pictures()).toBe(before - 1);
});

test.runIf(hasFfmpeg(process.env['PATH'] ?? ''))(
  'a video has a frame as thumbnail, and a playlist disguised as a video has none',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bowerbird-film-'));
    execFileSync('ffmpeg', [
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=c=red:s=640x360:d=1',
      '-pix_fmt',
      'yuv420p',
      join(folder, 'film.mp4'),
    ]);
    Object.assign(ids, await plant(app, ann.id, { 'film.mp4': readFileSync(join(folder, 'film.mp4')) }));
    rmSync(folder, { recursive: true });
    const poster = await fetchOf('film.mp4');
    expect(poster.statusCode).toBe(200);
    expect(webpSize(poster.rawPayload)).toEqual([256, 144]);
    expect((await fetchOf('list.mp4')).statusCode).toBe(404);
  },
);
