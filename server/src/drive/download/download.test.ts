import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, truncateSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { driveApi, type File } from '@bowerbird/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, plant, turnableClock, type Member, type TestApp } from '../../../testing/index.ts';

const HOUR_MS = 3600 * 1000;
const clock = turnableClock(Date.now());
const content = randomBytes(3_000_000);
const NASTY = `a "quoted" (1)*%41'é日\u202e\u{1f600}.txt`;

let app: TestApp;
let ann: Member;
let ids: Record<string, string>;
let origin: string;
beforeAll(async () => {
  app = await openTestApp({ clock, environment: { SITE_URL: '' } });
  ann = await app.signUp('ann');
  ids = await plant(app, ann.id, {
    'film.bin': content,
    empty: '',
    'page.html': '<script>1</script>',
    'drawing.svg': '<svg/>',
    'real.pdf': '%PDF-1.7 x',
    'fake.pdf': '<script>',
    'note.txt': 'hi',
    'song.mp3': 'ID3',
    'code.ts': 'x',
    [NASTY]: 'nasty',
    'film.mp4': 'mp4',
    'quarantined.txt': 'bad bytes',
    'quarantined.png': 'bad bytes',
    'gone.txt': 'gone bytes',
    'renamed.txt': 'r',
  });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const file = async (name: string): Promise<File> =>
  ann.call(driveApi.get, { params: { id: ids[name]! }, query: {} });
const link = async (name: string): Promise<string> => {
  const url = new URL((await file(name)).web_content_link);
  return origin + url.pathname + url.search;
};
const inline = async (name: string): Promise<string> => {
  const node = (await app.nodes.find(app.database, ann.id, ids[name]!))!;
  return origin + app.drive.links.download(node, { disposition: 'inline' }).url;
};

describe('a download link', () => {
  test('returns the bytes to anyone who has it, with strong validators and without compression', async () => {
    const reply = await fetch(await link('film.bin'), { headers: { 'accept-encoding': 'gzip, br' } });
    expect(reply.status).toBe(200);
    expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) as string,
    });
    expect(reply.headers.get('content-encoding')).toBeNull();
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="film.bin"/);
    expect(reply.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(Date.parse(reply.headers.get('last-modified')!)).toBeLessThanOrEqual(clock.now());
  });

  test('for another device works for a quarter of an hour, for a file of one’s own', async () => {
    const briefOf = (name: string) => ann.call(driveApi.deviceLink, { params: { id: ids[name]! } });
    const { url, expire } = await briefOf('note.txt');
    const { pathname, search } = new URL(url);
    const left = Date.parse(expire) - clock.now();
    expect(left).toBeGreaterThanOrEqual(15 * 60_000 - 1000);
    expect(left).toBeLessThanOrEqual(16 * 60_000);
    const reply = await fetch(origin + pathname + search);
    expect([reply.status, await reply.text()]).toEqual([200, 'hi']);
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment/);
    // It isn't the link of lists, which lasts for hours.
    expect(search).not.toBe(new URL(await link('note.txt')).search);
    const ben = await app.signUp('ben');
    await expect(ben.call(driveApi.deviceLink, { params: { id: ids['note.txt']! } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    clock.advance(17 * 60_000);
    expect((await fetch(origin + pathname + search)).status).toBe(403);
    clock.advance(-17 * 60_000);
  });

  test('has size and hash in its query, where clients read them, and is valid for hours', async () => {
    const { links, size, hash } = await file('film.bin');
    const { url, expire } = links['application/octet-stream']!;
    const query = new URL(url).searchParams;
    expect(query.get('f')).toBe(size);
    expect(query.get('g')).toBe(hash);
    expect(Number(query.get('expire')) * 1000).toBe(Date.parse(expire));
    expect(Date.parse(expire)).toBeGreaterThan(clock.now() + 6 * HOUR_MS - 1000);
    expect((await file('film.bin')).links['application/octet-stream']!.url).toBe(url);
  });

  test('is rejected when it was altered or has expired', async () => {
    const url = await link('note.txt');
    for (const [name, value] of [
      ['fid', ids['film.bin']!],
      ['f', '1'],
      ['g', 'X'],
      ['expire', '99999999999'],
      ['sign', 'x'],
      ['d', 'inline'],
      ['s', 'V1'],
    ] as const) {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      expect((await fetch(changed)).status, name).toBe(403);
    }
    expect((await fetch(`${url}&fid=twice`)).status).toBe(403);
    expect((await fetch(`${origin}/download/`)).status).toBe(403);
    const other = await openTestApp({ clock });
    expect((await other.visitor.inject({ url: url.slice(origin.length) })).statusCode).toBe(403);
    await other.close();
    clock.advance(8 * HOUR_MS);
    expect((await fetch(url)).status).toBe(403);
    clock.advance(-8 * HOUR_MS);
    expect((await fetch(url)).status).toBe(200);
  });

  test('works until the second before its expiry', async () => {
    const url = await link('note.txt');
    const [now, end] = [clock.now(), Number(new URL(url).searchParams.get('expire')) * 1000];
    clock.advance(end - 1 - now);
    expect((await fetch(url)).status).toBe(200);
    clock.advance(1);
    expect((await fetch(url)).status).toBe(403);
    clock.advance(now - end);
  });

  test('survives a rename and the trash, and stops working when the file is deleted or taken down', async () => {
    const url = await link('renamed.txt');
    await ann.call(driveApi.rename, { params: { id: ids['renamed.txt']! }, body: { name: 'new name.txt' } });
    expect((await fetch(url)).headers.get('content-disposition')).toContain('new name.txt');
    await ann.call(driveApi.trash, { body: { ids: [ids['renamed.txt']!] } });
    expect((await fetch(url)).status).toBe(200);
    await ann.call(driveApi.remove, { params: { id: ids['renamed.txt']! } });
    expect((await fetch(url)).status).toBe(404);
    const taken = await link('quarantined.txt');
    expect((await file('quarantined.png')).thumbnail_link).not.toBe('');
    await app.database.transaction((tx) =>
      sql`update blob set quarantined_at = 1 where size = 9`.execute(tx.on()),
    );
    expect((await fetch(taken)).status).toBe(404);
    expect((await file('quarantined.txt')).links).toEqual({});
    expect((await file('quarantined.png')).thumbnail_link).toBe('');
  });

  test('a link issued for a share is rejected unless the share still contains the file', async () => {
    const node = (await app.nodes.find(app.database, ann.id, ids['note.txt']!))!;
    const url = origin + app.drive.links.download(node, { disposition: 'attachment', share: 'VSHARE' }).url;
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('a range request', () => {
  const ranged = async (range: string, headers: Record<string, string> = {}, name = 'film.bin') =>
    fetch(await link(name), { headers: { range, ...headers } });

  test.each([
    ['bytes=0-1', 0, 2],
    ['bytes=2999999-', 2_999_999, 3_000_000],
    ['bytes=-5', 2_999_995, 3_000_000],
    ['bytes=1000-2999999999', 1000, 3_000_000],
  ])('a request for %s is answered exactly', async (range, from, to) => {
    const reply = await ranged(range);
    expect(reply.status).toBe(206);
    expect(reply.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/3000000`);
    expect(reply.headers.get('content-length')).toBe(String(to - from));
    expect(Buffer.from(await reply.arrayBuffer()).equals(content.subarray(from, to))).toBe(true);
  });

  test('a range outside the file returns 416 with the size', async () => {
    for (const [range, name, size] of [
      ['bytes=3000000-', 'film.bin', 3_000_000],
      ['bytes=0-', 'empty', 0],
    ] as const) {
      const reply = await ranged(range, {}, name);
      expect(reply.status).toBe(416);
      expect(reply.headers.get('content-range')).toBe(`bytes */${size}`);
    }
  });

  test('a range with an outdated validator returns the whole file', async () => {
    const etag = (await fetch(await link('film.bin'), { method: 'HEAD' })).headers.get('etag')!;
    expect((await ranged('bytes=0-1', { 'if-range': etag })).status).toBe(206);
    for (const stale of ['"old"', `W/${etag}`, 'Fri, 01 May 2020 10:00:00 GMT'])
      expect((await ranged('bytes=0-1', { 'if-range': stale })).status).toBe(200);
    expect((await ranged('bytes=0-1', { 'if-none-match': etag })).status).toBe(304);
    expect((await ranged('bytes=0-1', { 'if-match': '"x"' })).status).toBe(412);
  });

  test('several ranges return a valid multipart body', async () => {
    const reply = await ranged('bytes=0-9,100-199,-7');
    expect(reply.status).toBe(206);
    const boundary = /^multipart\/byteranges; boundary=([0-9a-f]+)$/.exec(
      reply.headers.get('content-type')!,
    )![1]!;
    const body = Buffer.from(await reply.arrayBuffer());
    expect(body.length).toBe(Number(reply.headers.get('content-length')));
    const parts = body.toString('latin1').split(`\r\n--${boundary}`);
    expect(parts).toHaveLength(5);
    expect(parts[0]).toBe('');
    expect(parts[4]).toBe('--\r\n');
    for (const [at, [from, to]] of [
      [0, 10],
      [100, 200],
      [2_999_993, 3_000_000],
    ].entries()) {
      const [head, ...rest] = parts[at + 1]!.split('\r\n\r\n');
      expect(head).toContain(`Content-Range: bytes ${from}-${to! - 1}/3000000`);
      expect(rest.join('\r\n\r\n')).toBe(content.subarray(from, to).toString('latin1'));
    }
  });

  test('overlapping or very many ranges return the file once', async () => {
    expect((await ranged('bytes=0-,0-,0-')).status).toBe(200);
    expect(
      (await ranged(`bytes=${Array.from({ length: 100 }, (_, at) => `${at}-${at}`).join(',')}`)).status,
    ).toBe(200);
  });

  test('a range in a HEAD request is ignored, and the response has all headers but no body', async () => {
    const reply = await fetch(await link('film.bin'), { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect([
      reply.status,
      reply.headers.get('content-length'),
      (await reply.arrayBuffer()).byteLength,
    ]).toEqual([200, '3000000', 0]);
  });
});

test('an empty file is downloaded completely', async () => {
  const reply = await fetch(await link('empty'));
  expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, '0', '']);
});

test('any file name arrives, and none injects a header', async () => {
  const header = (await fetch(await link(NASTY))).headers.get('content-disposition')!;
  const encoded = /filename\*=UTF-8''(\S+)$/.exec(header)![1]!;
  expect(decodeURIComponent(encoded)).toBe(NASTY);
  expect(encoded).not.toMatch(/['()*]/);
});

test('media files keep their content type when saved; all other files are sent as plain bytes', async () => {
  const types = async (name: string) => {
    const { headers } = await fetch(await link(name));
    return [headers.get('content-disposition')!.split(';')[0], headers.get('content-type')];
  };
  expect(await types('film.mp4')).toEqual(['attachment', 'video/mp4']);
  for (const name of ['page.html', 'drawing.svg', 'note.txt', 'real.pdf', 'film.bin'])
    expect(await types(name)).toEqual(['attachment', 'application/octet-stream']);
});

test('only types that run no scripts are shown inline, and text as plain text', async () => {
  const shown = async (name: string) => {
    const { headers } = await fetch(await inline(name));
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    return [headers.get('content-disposition')!.split(';')[0], headers.get('content-type')];
  };
  expect(await shown('song.mp3')).toEqual(['inline', 'audio/mpeg']);
  expect(await shown('film.mp4')).toEqual(['inline', 'video/mp4']);
  expect(await shown('note.txt')).toEqual(['inline', 'text/plain; charset=utf-8']);
  expect(await shown('page.html')).toEqual(['attachment', 'application/octet-stream']);
  expect(await shown('code.ts')).toEqual(['inline', 'text/plain; charset=utf-8']);
  expect(await shown('drawing.svg')).toEqual(['attachment', 'application/octet-stream']);
  expect(await shown('real.pdf')).toEqual(['inline', 'application/pdf']);
  expect(await shown('fake.pdf')).toEqual(['attachment', 'application/octet-stream']);
  expect(await shown('empty')).toEqual(['attachment', 'application/octet-stream']);
});

/** Returns the open files below a folder. */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) && path.includes('kept') ? [path] : [];
    } catch {
      return [];
    }
  });
}

const respond = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => void httpGet(url, resolve).on('error', reject));

test('clients that disconnect leave no file open', async () => {
  const big = await plant(app, ann.id, { 'big.bin': Buffer.alloc(40_000_000, 7) });
  Object.assign(ids, big);
  const url = await link('big.bin');
  const replies = await Promise.all(Array.from({ length: 8 }, () => respond(url)));
  await expect.poll(() => openFiles(app.config.DATA_DIR).length).toBeGreaterThan(0);
  for (const reply of replies) reply.destroy();
  await expect.poll(() => openFiles(app.config.DATA_DIR)).toEqual([]);
});

test('a read that fails halfway cuts the connection, so that a partial file is not taken for a whole one', async () => {
  const url = await link('big.bin');
  const reply = await respond(url);
  const node = (await app.nodes.find(app.database, ann.id, ids['big.bin']!))!;
  const blob = (await app.blobs.byHash(app.database, node.blob!, node.size))!;
  const parts = readdirSync(app.config.DATA_DIR, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.includes(blob.store_key.split('/').at(-1)!) && !path.endsWith('.json'),
  );
  for (const path of parts) {
    try {
      truncateSync(`${app.config.DATA_DIR}/${path}`, 20_000_000);
    } catch {
      // Folders are skipped.
    }
  }
  let received = 0;
  const ended = new Promise<string>((resolve) => {
    reply.on('data', (chunk: Buffer) => void (received += chunk.length));
    reply.on('end', () => resolve('whole'));
    reply.on('error', () => resolve('cut'));
  });
  expect(await ended).toBe('cut');
  expect(received).toBeLessThan(40_000_000);
});

test('missing bytes are reported as data loss, and other files still download', async () => {
  const node = (await app.nodes.find(app.database, ann.id, ids['gone.txt']!))!;
  const blob = (await app.blobs.byHash(app.database, node.blob!, node.size))!;
  await app.storage.remove(blob.store_key);
  const reply = await fetch(await link('gone.txt'));
  expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([500, 'data_loss']);
  expect(
    createHash('sha256')
      .update(Buffer.from(await (await fetch(await link('film.bin'))).arrayBuffer()))
      .digest('hex'),
  ).toBe(createHash('sha256').update(content).digest('hex'));
  expect((await app.drive.check({ repair: false })).map(({ what, id }) => [what, id])).toContainEqual([
    'blob-missing',
    blob.hash,
  ]);
});
