import { createHash, randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestBlocks, assembleBlocks } from '@bowerbird/ingest';
import { gcidBlockSize } from '@bowerbird/contract';
import { createScene, type Scene } from './testing/scene.ts';
import { pour, serve, sha256, startOrigin, type Origin } from './testing/origin.ts';

const MIB = 2 ** 20;
const large = randomBytes(40 * MIB + 12_345);
const small = randomBytes(100_000);

let scene: Scene;
let origin: Origin;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  scene = await createScene({ tries: 3 });
});
afterAll(() => scene.close());
beforeEach(async () => {
  origin = await startOrigin();
});
afterEach(async () => {
  await origin.close();
  for (const close of closing.splice(0)) await close();
});

function contentOf(bytes: Uint8Array): { hash: string; gcid: string } {
  const digests = digestBlocks(bytes, gcidBlockSize(bytes.byteLength));
  return assembleBlocks([{ size: bytes.byteLength, position: 0, digests }]).content();
}

describe('a file', () => {
  test('is downloaded over several connections and identified by its content', async () => {
    origin.handler = serve(origin, () => ({ bytes: large, etag: '"one"' }));
    const { kept, facts, sha256: arrived, progress } = await scene.fetch(origin.url('/a/large.bin?x=1'));
    expect(arrived).toBe(sha256(large));
    expect(kept).toMatchObject({ size: large.byteLength, ...contentOf(large) });
    expect(kept?.cid).toMatch(/^[0-9A-F]{40}$/);
    expect(facts).toEqual([
      {
        kind: 'web',
        name: 'large.bin',
        files: [{ index: 0, path: ['large.bin'], size: large.byteLength }],
        validator: `"one" ${large.byteLength}`,
      },
    ]);
    expect(progress.at(-1)).toMatchObject({ step: 'storing', received: large.byteLength });
    expect(await scene.leftovers()).toEqual([]);
    expect(origin.open()).toBe(0);
  });

  test('is downloaded from sites without range support', async () => {
    origin.handler = serve(origin, () => ({ bytes: large, ranges: false }));
    const { kept, sha256: arrived } = await scene.fetch(origin.url('/large.bin'));
    expect(arrived).toBe(sha256(large));
    expect(kept).toMatchObject(contentOf(large));
    expect(origin.requests).toHaveLength(1);
  });

  test('is resumed by range from a site that announced ranges but first sent the whole file', async () => {
    const promise = { 'accept-ranges': 'bytes' };
    const stop = new AbortController();
    // Like Apache: answers a range of the whole file as if there were no range.
    const honest = serve(origin, () => ({
      bytes: large,
      etag: '"a"',
      headers: promise,
      write: (response, body) => pour(origin, response, body, { pauseMs: stop.signal.aborted ? 0 : 2 }),
    }));
    origin.handler = (request, response) => {
      if (request.headers.range === 'bytes=0-') delete request.headers.range;
      honest(request, response);
    };
    const first = await scene.fetch(origin.url('/large.bin'), {
      signal: stop.signal,
      onProgress({ received }) {
        if (received > 20 * MIB) stop.abort();
      },
    });
    expect(first.resume).toMatchObject({ staged: { size: large.byteLength, tag: '"a"' } });
    const asked = origin.requests.length;
    const { sha256: arrived } = await scene.fetch(origin.url('/large.bin'), first);
    expect(arrived).toBe(sha256(large));
    expect(origin.requests.slice(asked).map(({ headers }) => headers.range)).toEqual([
      expect.not.stringMatching(/^bytes=0-/),
    ]);
  });

  test('is downloaded completely if a site announces ranges, cuts the connection and supports none', async () => {
    let cuts = 0;
    origin.handler = serve(origin, () => ({
      bytes: large,
      etag: '"liar"',
      ranges: false,
      headers: { 'accept-ranges': 'bytes' },
      write(response, body) {
        if (cuts++ > 0) return pour(origin, response, body);
        response.write(body.subarray(0, MIB), () => response.destroy());
      },
    }));
    expect((await scene.fetch(origin.url('/large.bin'))).sha256).toBe(sha256(large));
  });

  test('is identified by its date only if it can’t have changed within that second', async () => {
    const at = (headers: Record<string, string>) => {
      origin.handler = serve(origin, () => ({ bytes: small, headers }));
      return scene.inspect(origin.url('/dated.bin'));
    };
    const date = 'Wed, 01 May 2024 10:00:10 GMT';
    const settled = 'Wed, 01 May 2024 10:00:00 GMT';
    expect(await at({ date, 'last-modified': settled })).toMatchObject({
      validator: `${settled} ${small.byteLength}`,
    });
    expect(await at({ date, 'last-modified': date })).not.toHaveProperty('validator');
    expect(await at({ date, 'last-modified': settled, etag: 'W/"a"' })).toMatchObject({
      validator: `${settled} ${small.byteLength}`,
    });
  });

  test.for([
    ['Fri, 01 May 2020 10:00:00 GMT', '2020-05-01T10:00:00.000Z'],
    ['Friday, 01-May-20 10:00:00 GMT', '2020-05-01T10:00:00.000Z'],
    ['Fri May  1 10:00:00 2020', '2020-05-01T10:00:00.000Z'],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
    ['Wed, 31 Feb 2020 10:00:00 GMT', undefined],
    ['Fri, 01 May 2120 10:00:00 GMT', undefined],
    ['yesterday', undefined],
  ] as const)(
    'last changed %s according to its site gets that date if the date is valid',
    async ([said, is]) => {
      origin.handler = serve(origin, () => ({ bytes: small, headers: { 'last-modified': said } }));
      const { modifiedAt } = await scene.inspect(origin.url('/dated.bin'));
      expect(modifiedAt && new Date(modifiedAt).toISOString()).toBe(is);
    },
  );

  test('is downloaded from sites that do not announce its size', async () => {
    origin.handler = (_, response) => pour(origin, response.writeHead(200), large);
    const { kept, facts, sha256: arrived } = await scene.fetch(origin.url('/large.bin'));
    expect(facts[0]?.files[0]?.size).toBeNull();
    expect(arrived).toBe(sha256(large));
    expect(kept).toMatchObject(contentOf(large));
  });

  test('may be empty, with and without ranges, with and without a size', async () => {
    const ways = [
      serve(origin, () => ({ bytes: new Uint8Array(), etag: '"e"' })),
      serve(origin, () => ({ bytes: new Uint8Array(), ranges: false })),
      (_: unknown, response: Parameters<typeof pour>[1]) => pour(origin, response, new Uint8Array()),
    ];
    for (const handler of ways) {
      origin.handler = handler;
      const { kept, error } = await scene.fetch(origin.url('/empty'));
      expect(error).toBeUndefined();
      expect(kept).toMatchObject({ size: 0, ...contentOf(new Uint8Array()) });
    }
  });

  test('is decompressed if the site compresses it without being asked', async () => {
    const text = Buffer.from('twelve bytes'.repeat(100_000));
    for (const [encoding, bytes] of Object.entries({ gzip: gzipSync(text), br: brotliCompressSync(text) })) {
      origin.handler = serve(origin, () => ({
        bytes,
        etag: '"z"',
        headers: { 'content-encoding': encoding },
      }));
      const { facts, sha256: arrived } = await scene.fetch(origin.url('/text.txt'));
      expect(arrived).toBe(sha256(text));
      expect(facts[0]?.files[0]?.size).toBeNull();
    }
    expect(origin.requests.every(({ headers }) => headers['accept-encoding'] === 'identity')).toBe(true);
  });

  test('in a compressed format stays compressed', async () => {
    const bytes = gzipSync(small);
    origin.handler = serve(origin, () => ({ bytes, etag: '"z"', headers: { 'content-encoding': 'gzip' } }));
    expect((await scene.fetch(origin.url('/a.tar.gz'))).sha256).toBe(sha256(bytes));
  });

  test('is downloaded no faster than the limit', async () => {
    const slow = await createScene({}, 2 * MIB);
    origin.handler = serve(origin, () => ({ bytes: large.subarray(0, 4 * MIB), etag: '"r"' }));
    const started = performance.now();
    const { error } = await slow.fetch(origin.url('/slow.bin'));
    await slow.close();
    expect(error).toBeUndefined();
    expect(performance.now() - started).toBeGreaterThan(1500);
  });

  test('stored by a run that could not report it is found again', async () => {
    origin.handler = serve(origin, () => ({ bytes: small, etag: '"k"' }));
    const first = await scene.fetch(origin.url('/kept.bin'));
    const before = origin.requests.length;
    const again = await scene.fetch(origin.url('/kept.bin'), { id: first.id, resume: first.resume });
    expect(again.kept).toEqual(first.kept);
    expect(again.facts).toEqual(first.facts);
    const unsaid = await scene.fetch(origin.url('/kept.bin'), { id: first.id });
    expect(unsaid.kept).toEqual(first.kept);
    expect(origin.requests).toHaveLength(before);
  });
});

describe('an inspection', () => {
  test('returns name and size, and transfers almost nothing', async () => {
    origin.handler = serve(origin, () => ({ bytes: large, etag: '"one"' }));
    expect(await scene.inspect(origin.url('/large.bin'))).toEqual({
      kind: 'web',
      name: 'large.bin',
      files: [{ index: 0, path: ['large.bin'], size: large.byteLength }],
      validator: `"one" ${large.byteLength}`,
    });
    expect(origin.served).toBeLessThan(1000);
  });

  test.for([
    [404, 'source_not_found', true],
    [410, 'source_not_found', true],
    [401, 'source_denied', true],
    [403, 'source_denied', true],
    [500, 'source_failed', false],
    [503, 'source_failed', false],
    [429, 'source_failed', false],
    [418, 'source_failed', true],
  ] as const)('with status %d is %s', async ([status, error, final]) => {
    origin.handler = (_, response) => response.writeHead(status).end('no');
    await expect(scene.inspect(origin.url('/x'))).rejects.toMatchObject({ failure: { error, final } });
  });

  test('of a page under a file’s address reports that it is not a file; a page’s own address is accepted', async () => {
    origin.handler = serve(origin, () => ({
      bytes: Buffer.from('<html>'),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    }));
    for (const path of ['/a.zip', '/b/film.mkv', '/c.bin?x'])
      await expect(scene.inspect(origin.url(path))).rejects.toMatchObject({
        failure: { error: 'source_not_a_file', final: true },
      });
    for (const path of ['/', '/page', '/a.html', '/john.smith', '/index.php'])
      expect((await scene.inspect(origin.url(path))).kind).toBe('web');
  });

  test('of an address with a torrent behind it finds the torrent', async () => {
    const info = `d6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:${'x'.repeat(20)}e`;
    const torrent = Buffer.from(`d8:announce20:http://tracker.test/4:info${info}e`);
    const infoHash = createHash('sha1').update(info).digest('hex');
    origin.handler = serve(origin, () => ({
      bytes: torrent,
      headers: { 'content-type': 'application/x-bittorrent' },
    }));
    expect(await scene.inspect(origin.url('/get?id=7'))).toMatchObject({
      kind: 'torrent',
      torrent: { infoHash },
    });
    const { facts, kept, error } = await scene.fetch(origin.url('/some.torrent'));
    expect(error).toBeUndefined();
    expect(facts).toMatchObject([{ kind: 'torrent', torrent: { infoHash } }]);
    expect(kept).toBeUndefined();
    // Any other bytes with that name are an ordinary file.
    origin.handler = serve(origin, () => ({ bytes: small, etag: '"t"' }));
    expect(await scene.inspect(origin.url('/some.torrent'))).toMatchObject({
      kind: 'web',
      name: 'some.torrent',
    });
    expect((await scene.fetch(origin.url('/some.torrent'))).sha256).toBe(sha256(small));
  });

  test.for([
    ['attachment; filename="a b.zip"', 'a b.zip'],
    ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
    ['attachment; filename="x.bin"; filename*=UTF-8\'\'na%C3%AFve%20%E2%82%AC.txt', 'naïve €.txt'],
    ['attachment; filename*=UTF-8\'\'%E0%A4%A; filename="good.txt"', 'good.txt'],
    ["attachment; filename*=nonsense''x; filename=good.txt", 'good.txt'],
    ['attachment', 'requested name.bin'],
    ['', 'requested name.bin'],
    ['garbage;;;=', 'requested name.bin'],
  ])('of a source with the header %j finds its name', async ([disposition, name]) => {
    origin.handler = serve(origin, () => ({
      bytes: small,
      headers: { 'content-disposition': disposition! },
    }));
    expect((await scene.inspect(origin.url('/x/requested%20name.bin?q'))).name).toBe(name);
  });
});

describe('redirects', () => {
  test('are followed, and the name comes from the requested path', async () => {
    const other = await startOrigin();
    closing.push(() => other.close());
    other.handler = serve(other, () => ({ bytes: small, etag: '"s"' }));
    origin.handler = (_, response) => response.writeHead(302, { location: other.url('/cdn/9f8e7d') }).end();
    const { facts, sha256: arrived } = await scene.fetch(origin.url('/small.bin'));
    expect(arrived).toBe(sha256(small));
    expect(facts[0]?.name).toBe('small.bin');
  });

  test('in a circle are stopped', async () => {
    origin.handler = (_, response) => response.writeHead(302, { location: '/again' }).end();
    await expect(scene.inspect(origin.url('/'))).rejects.toMatchObject({
      failure: { error: 'source_failed', final: true },
    });
    expect(origin.requests.length).toBeLessThanOrEqual(11);
  });

  test.for([
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'javascript:alert(1)',
    'gopher://x/',
    'http://',
    'data:text/plain,x',
  ])('to %s are rejected', async (location) => {
    origin.handler = (_, response) => response.writeHead(301, { location }).end();
    await expect(scene.inspect(origin.url('/'))).rejects.toMatchObject({ failure: { final: true } });
  });

  test('send no secret of the member to another origin', async () => {
    const other = await startOrigin(serve(origin, () => ({ bytes: small })));
    closing.push(() => other.close());
    origin.handler = ({ url }, response) =>
      response.writeHead(302, { location: url === '/start' ? '/inner' : other.url('/end') }).end();
    const headers = {
      cookie: 'session=secret',
      Authorization: 'Bearer secret',
      'X-Api-Key': 'secret',
      referer: 'https://secret.test/',
      'user-agent': 'Mine/1',
      host: 'evil.test',
      range: 'bytes=5-6',
      'x-broken': 'a\r\nb: c',
    };
    await scene.inspect({ url: origin.url('/start').replace('//', '//me:pass%20word@'), headers });
    expect(origin.requests.map(({ url }) => url)).toEqual(['/start', '/inner']);
    for (const { headers: sent } of origin.requests)
      expect(sent).toMatchObject({
        cookie: 'session=secret',
        authorization: 'Bearer secret',
        'x-api-key': 'secret',
        'user-agent': 'Mine/1',
        host: `127.0.0.1:${origin.port}`,
        range: 'bytes=0-0',
      });
    expect(JSON.stringify(other.requests[0]?.headers)).not.toMatch(/secret|pass|evil/);
    // Nor the user name and password of the link, which are sent decoded.
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(other.requests[0]?.headers['user-agent']).toBe('Mine/1');
  });

  test('send cookies back only to the origin that set them', async () => {
    const other = await startOrigin((_, response) => {
      response.writeHead(302, { location: origin.url('/') }).end();
    });
    closing.push(() => other.close());
    origin.handler = ({ headers }, response) => {
      if (headers.cookie?.includes('seen=1')) return void response.end('there');
      response.writeHead(302, { location: other.url('/'), 'set-cookie': 'seen=1; Path=/' }).end();
    };
    expect((await scene.inspect(origin.url('/'))).kind).toBe('web');
    expect(other.requests.map(({ headers }) => headers.cookie)).toEqual([undefined]);
  });
});
