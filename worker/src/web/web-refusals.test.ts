import { randomBytes } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createScene, type Scene } from './testing/scene.ts';
import { serve, sha256, startOrigin, startRaw, type Origin } from './testing/origin.ts';

const bytes = randomBytes(300_000);
const wanted = sha256(bytes);
let scene: Scene;
let origin: Origin;
beforeAll(async () => {
  scene = await createScene({ tries: 4 });
});
afterAll(() => scene.close());
beforeEach(async () => {
  origin = await startOrigin();
});
afterEach(() => origin.close());

describe('a site that rejects range requests', () => {
  test.for([400, 401, 403, 404, 405, 406, 412, 416, 500, 501, 502, 503])(
    'with %d gets a second request without a range',
    async (status) => {
      const plain = serve(origin, () => ({ bytes, ranges: false }));
      origin.handler = (request, response) =>
        request.headers.range === undefined ? plain(request, response) : response.writeHead(status).end('no');
      const { sha256: got } = await scene.fetch(origin.url('/file.bin'));
      expect(got).toBe(wanted);
      expect(origin.requests.map(({ headers }) => headers.range !== undefined)).toEqual([true, false]);
      expect(await scene.inspect(origin.url('/file.bin'))).toMatchObject({ files: [{ size: bytes.length }] });
    },
  );

  test('by closing the connection gets a second request without a range', async () => {
    const plain = serve(origin, () => ({ bytes, ranges: false }));
    origin.handler = (request, response) =>
      request.headers.range === undefined ? plain(request, response) : request.socket.destroy();
    expect((await scene.fetch(origin.url('/file.bin'))).sha256).toBe(wanted);
    expect(origin.requests).toHaveLength(2);
  });

  test('and requests without a range fails after the second', async () => {
    origin.handler = (_, response) => response.writeHead(403).end();
    expect((await scene.fetch(origin.url('/file.bin'))).failure).toMatchObject({
      error: 'source_denied',
      final: true,
    });
    expect(origin.requests).toHaveLength(2);
  });

  test('because of a rate limit gets no second request', async () => {
    origin.handler = (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    expect((await scene.fetch(origin.url('/file.bin'))).failure).toMatchObject({ error: 'source_failed' });
    expect(origin.requests).toHaveLength(1);
  });
});

describe('an unrequested content encoding', () => {
  test.for([
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['deflate', gzipSync(bytes)],
    ['Deflate, identity', deflateRawSync(bytes)],
    ['gzip', gzipSync(bytes)],
    ['gzip', deflateSync(bytes)],
    ['x-gzip', Buffer.concat([gzipSync(bytes.subarray(0, 1000)), gzipSync(bytes.subarray(1000))])],
    ['utf-8', bytes],
    ['binary', bytes],
  ] as const)('is decoded: %s', async ([encoding, body]) => {
    origin.handler = (_, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    expect((await scene.fetch(origin.url('/file.bin'))).sha256).toBe(wanted);
  });

  test.for(['compress', 'xpress', 'gzip, br', 'dcb'])(
    'that can’t be decoded is named: %s',
    async (encoding) => {
      origin.handler = (_, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
      expect((await scene.fetch(origin.url('/file.bin'))).failure).toMatchObject({
        error: 'source_encoding_unknown',
        final: true,
        facts: { encoding },
      });
    },
  );

  test('that is not what the body has fails after the second attempt', async () => {
    origin.handler = (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(5000, 0xff));
    const { failure } = await scene.fetch(origin.url('/file.bin'));
    expect(failure).toMatchObject({ error: 'source_failed', final: true, facts: { reason: 'encoding' } });
    expect(origin.requests.length).toBeLessThanOrEqual(4);
  });
});

test('a file that ends early at the same place twice fails permanently', async () => {
  let requests = 0;
  const server = await startRaw((socket) => {
    requests += 1;
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\nconnection: close\r\n\r\nabc');
    setTimeout(() => socket.end(), 50);
  });
  try {
    const { failure } = await scene.fetch(server.url('/file.bin'));
    expect(failure).toMatchObject({ error: 'source_incomplete', final: true });
    expect(requests).toBe(2);
  } finally {
    await server.close();
  }
});

test.for([
  [201, 'source_without_file', true],
  [204, 'source_without_file', true],
  [205, 'source_without_file', true],
  [207, 'source_without_file', true],
  [202, 'source_not_ready', false],
] as const)('a %d response has no file', async ([status, error, final]) => {
  origin.handler = (_, response) => void response.writeHead(status).end();
  const { failure, kept } = await scene.fetch(origin.url('/file.bin'));
  expect(failure).toMatchObject({ error, final, facts: { status: String(status) } });
  expect(kept).toBeUndefined();
  await expect(scene.inspect(origin.url('/file.bin'))).rejects.toMatchObject({ failure: { error } });
});

test('a file that is not ready yet is downloaded once it is', async () => {
  const whole = serve(origin, () => ({ bytes }));
  origin.handler = (request, response) =>
    origin.requests.length < 4 ? void response.writeHead(202).end() : whole(request, response);
  expect((await scene.fetch(origin.url('/file.bin'))).sha256).toBe(wanted);
});

const HASH = 'c9e15763f722f23e98a29decdfae341b98d53056';
test.for([301, 302, 303, 307, 308])('a %d to a magnet link downloads its torrent', async (status) => {
  origin.handler = (_, response) =>
    void response
      .writeHead(status, { location: `magnet:?xt=urn:btih:${HASH}&dn=Cosmos&tr=udp%3A%2F%2Ft.example%3A80` })
      .end();
  const facts = {
    kind: 'torrent',
    name: 'Cosmos',
    files: [],
    torrent: {
      infoHash: HASH,
      magnet: `magnet:?xt=urn:btih:${HASH}&dn=Cosmos&tr=udp%3A%2F%2Ft.example%3A80`,
      file: '',
    },
  };
  expect(await scene.inspect(origin.url('/get/1'))).toEqual(facts);
  expect((await scene.fetch(origin.url('/get/1'))).facts).toEqual([facts]);
});

test('a redirect keeps the bytes of its path, whatever their encoding', async () => {
  const whole = serve(origin, () => ({ bytes }));
  origin.handler = (request, response) =>
    request.url === '/get'
      ? void response.writeHead(302, { location: '/\xd6\xd0\xce\xc4.bin' }).end()
      : whole(request, response);
  expect((await scene.fetch(origin.url('/get'))).sha256).toBe(wanted);
  expect(origin.requests.at(-1)!.url).toBe('/%D6%D0%CE%C4.bin');
});
