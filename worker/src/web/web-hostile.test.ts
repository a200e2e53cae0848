import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants as zlib, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createScene, type Scene } from './testing/scene.ts';
import { pour, serve, sha256, startOrigin, startRaw, type Origin } from './testing/origin.ts';

const MIB = 2 ** 20;
const one = randomBytes(70 * MIB + 12_345);
const other = randomBytes(70 * MIB + 12_345);

let scene: Scene;
/** Timeouts that are short enough for tests. */
let hasty: Scene;
let origin: Origin;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  scene = await createScene({ tries: 3 });
  hasty = await createScene({ openMs: 500, connectMs: 500, idleMs: 700, tries: 2 });
});
afterAll(() => Promise.all([scene.close(), hasty.close()]));
beforeEach(async () => {
  origin = await startOrigin();
});
afterEach(async () => {
  await origin.close();
  for (const close of closing.splice(0)) await close();
});

async function raw(
  ...parameters: Parameters<typeof startRaw>
): Promise<Awaited<ReturnType<typeof startRaw>>> {
  const server = await startRaw(...parameters);
  closing.push(() => server.close());
  return server;
}

const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n\r\n`;

describe('a site', () => {
  test('whose header never ends is abandoned', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`X-${'a'.repeat(1000)}: b\r\n`), 1);
      socket.on('close', () => clearInterval(timer));
    });
    const { failure } = await scene.fetch(server.url());
    expect(failure).toMatchObject({ error: 'source_failed' });
  });

  test('whose header arrives a byte at a time is abandoned', async () => {
    const server = await raw((socket) => {
      const text = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1000)}`;
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++] ?? 'z'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await expect(hasty.inspect(server.url())).rejects.toMatchObject({
      failure: { error: 'source_timed_out' },
    });
  });

  test('that endlessly announces to continue is abandoned', async () => {
    const server = await raw((socket) => {
      const timer = setInterval(() => socket.write(lines('HTTP/1.1 103 Early Hints', 'link: x')), 5);
      socket.on('close', () => clearInterval(timer));
    });
    await expect(hasty.inspect(server.url())).rejects.toMatchObject({
      failure: { error: 'source_timed_out' },
    });
  });

  test('that stays silent is abandoned', async () => {
    const server = await raw(() => {});
    await expect(hasty.inspect(server.url())).rejects.toMatchObject({
      failure: { error: 'source_timed_out' },
    });
  });

  test('that does not exist is reported as unreachable', async () => {
    const server = await raw(() => {});
    await server.close();
    closing.pop();
    for (const url of [server.url(), 'http://nothing.invalid/x'])
      await expect(scene.inspect(url)).rejects.toMatchObject({
        failure: { error: 'source_unreachable', final: false },
      });
  });

  test.for(['', 'SSH-2.0-OpenSSH_9.2\r\n', '220 mail ESMTP\r\n', '\0\0\0', lines('HTTP/1.1 999', 'a')])(
    'that answers %j is reported as failed',
    async (text) => {
      const server = await raw((socket) => socket.end(text, 'latin1'));
      await expect(scene.inspect(server.url())).rejects.toMatchObject({
        failure: { error: 'source_failed' },
      });
    },
  );

  test.for([
    ['two lengths', lines('HTTP/1.1 200 OK', 'content-length: 5', 'content-length: 6')],
    ['a negative length', lines('HTTP/1.1 200 OK', 'content-length: -1')],
    ['a length and chunks', lines('HTTP/1.1 200 OK', 'content-length: 5', 'transfer-encoding: chunked')],
    ['a length that is no number', lines('HTTP/1.1 200 OK', 'content-length: 0x10')],
    ['chunks that aren’t', `${lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked')}zz\r\nhello`],
  ])('that sends %s is reported as failed', async ([, text]) => {
    const server = await raw((socket) => socket.write(`${text!}hello`, 'latin1'));
    const { failure, kept } = await scene.fetch(server.url());
    expect(failure?.error).toMatch(/^source_(failed|incomplete|timed_out)$/);
    expect(kept).toBeUndefined();
  });

  test('whose body stalls is abandoned', async () => {
    origin.handler = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('x');
    };
    const { failure } = await hasty.fetch(origin.url('/x.bin'));
    expect(failure).toMatchObject({ error: 'source_timed_out', final: false });
  });

  test('whose body trickles is abandoned', async () => {
    origin.handler = (_, response) => {
      response.writeHead(200, { 'content-length': 100_000 });
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    };
    const { failure } = await hasty.fetch(origin.url('/x.bin'));
    expect(failure).toMatchObject({ error: 'source_timed_out', final: false });
  });

  test('that takes too long in total is cut off, even if data keeps flowing', async () => {
    const brief = await createScene({ totalMs: 400 });
    origin.handler = serve(origin, () => ({
      bytes: one,
      etag: '"1"',
      write: (r, body) => pour(origin, r, body, { pauseMs: 20 }),
    }));
    const { failure } = await brief.fetch(origin.url('/x.bin'));
    await brief.close();
    expect(failure).toMatchObject({ error: 'source_timed_out', final: false });
  });

  test('whose body never ends is cut off at the limit', async () => {
    origin.handler = (_, response) => pour(origin, response.writeHead(200), one);
    const { failure } = await scene.fetch(origin.url('/x.bin'), { maxBytes: 5 * MIB });
    expect(failure).toMatchObject({ error: 'source_too_large', final: true });
    expect(origin.served).toBeLessThan(30 * MIB);
  });

  test('that announces too large a file is not asked for it', async () => {
    for (const ranges of [true, false]) {
      origin.handler = serve(origin, () => ({ bytes: one, etag: '"1"', ranges }));
      const { failure } = await scene.fetch(origin.url('/x.bin'), { maxBytes: one.byteLength - 1 });
      expect(failure).toMatchObject({ error: 'source_too_large', final: true });
    }
    expect(origin.served).toBeLessThan(30 * MIB);
  });

  test('that sends less than announced is reported as incomplete', async () => {
    const server = await raw((socket) =>
      socket.end(`${lines('HTTP/1.1 200 OK', 'content-length: 1000')}too little`),
    );
    const { failure, kept } = await scene.fetch(server.url());
    expect(failure).toMatchObject({ error: 'source_incomplete', final: false });
    expect(kept).toBeUndefined();
  });

  test('that cuts off its chunks is reported as incomplete', async () => {
    origin.handler = (_, response) => {
      response.writeHead(200).write('beginning');
      setTimeout(() => response.destroy(), 20);
    };
    const { failure, kept } = await scene.fetch(origin.url('/x.bin'));
    expect(failure).toMatchObject({ error: 'source_incomplete' });
    expect(kept).toBeUndefined();
  });

  test('that sends more than announced yields the announced bytes', async () => {
    const server = await raw((socket) =>
      socket.end(`${lines('HTTP/1.1 200 OK', 'content-length: 5')}helloHTTP/1.1 200 OK\r\n\r\nmore`),
    );
    expect((await scene.fetch(server.url())).sha256).toBe(sha256('hello'));
  });

  test.for([
    ['gzip', () => gzipSync(Buffer.alloc(300 * MIB))],
    ['br', () => brotliCompressSync(Buffer.alloc(300 * MIB), { params: { [zlib.BROTLI_PARAM_QUALITY]: 2 } })],
    ['zstd', () => zstdCompressSync(Buffer.alloc(300 * MIB))],
  ] as const)('that sends a decompression bomb in %s is cut off', async ([encoding, make]) => {
    const bytes = make();
    origin.handler = serve(origin, () => ({ bytes, headers: { 'content-encoding': encoding } }));
    const { failure, kept } = await scene.fetch(origin.url('/bomb.txt'));
    expect(failure).toMatchObject({ error: 'source_too_large', final: true });
    expect(kept).toBeUndefined();
  });

  test('that compresses twice, or falsely claims compression, is reported as failed', async () => {
    for (const encoding of ['gzip, gzip', 'gzip']) {
      origin.handler = serve(origin, () => ({ bytes: one, headers: { 'content-encoding': encoding } }));
      const { failure, kept } = await scene.fetch(origin.url('/x.txt'));
      expect(failure?.error).toMatch(/^source_(failed|incomplete|encoding_unknown)$/);
      expect(kept).toBeUndefined();
    }
  });
});

describe('range requests', () => {
  test('that the site ignores after the first are abandoned', async () => {
    let asked = 0;
    origin.handler = serve(origin, () => ({ bytes: one, etag: '"1"', ranges: asked++ === 0 }));
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(one));
  });

  test.for([
    ['another range', 'bytes 5-9/100'],
    ['a range of nobody knows what', 'bytes 0-9/*'],
    ['no range', ''],
    ['nonsense', 'bytes garbage'],
    ['an end before the beginning', 'bytes 9-0/100'],
  ])('that are answered with %s are abandoned', async ([, range]) => {
    const bytes = one.subarray(0, 100);
    origin.handler = ({ headers }, response) => {
      if (!headers.range) return void response.end(bytes);
      response
        .writeHead(206, { etag: '"1"', ...(range ? { 'content-range': range } : {}) })
        .end(bytes.subarray(5, 10));
    };
    expect((await scene.inspect(origin.url('/x.bin'))).files[0]?.size).not.toBe(5);
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(bytes));
  });

  test('for the middle of the file never put other bytes into it', async () => {
    origin.handler = (request, response) => {
      const [, first] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      if (first === '0') return serve(origin, () => ({ bytes: one, etag: '"1"' }))(request, response);
      const body = one.subarray(0, 1000);
      response.writeHead(206, { etag: '"1"', 'content-range': `bytes 0-999/${one.byteLength}` }).end(body);
    };
    const { kept, sha256: arrived } = await scene.fetch(origin.url('/x.bin'));
    expect(kept === undefined || arrived === sha256(one)).toBe(true);
  });

  test('answered in small pieces are joined', async () => {
    origin.handler = (request, response) => {
      const [, first = '0'] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(first);
      const body = one.subarray(start, start + 3 * MIB);
      response
        .writeHead(206, {
          etag: '"1"',
          'content-range': `bytes ${start}-${start + body.byteLength - 1}/${one.byteLength}`,
        })
        .end(body);
    };
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(one));
  });

  test('that only some connections answer are sent over those', async () => {
    let open = 0;
    origin.handler = (request, response) => {
      if (open >= 2) return void response.writeHead(503).end();
      open += 1;
      response.on('close', () => (open -= 1));
      serve(origin, () => ({ bytes: one, etag: '"1"' }))(request, response);
    };
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(one));
  });
});

describe('a file that changes during the download', () => {
  const versions = { first: { bytes: one, etag: '"1"' }, second: { bytes: other, etag: '"2"' } };

  test('is downloaded again, and never joined from two versions', async () => {
    origin.handler = serve(origin, () => (origin.served > 10 * MIB ? versions.second : versions.first));
    const { sha256: arrived, facts } = await scene.fetch(origin.url('/x.bin'));
    expect(arrived).toBe(sha256(other));
    expect(facts.at(-1)?.validator).toContain('"2"');
  });

  test('is detected even if the site ignores the condition and sends a range of the other version', async () => {
    const handler = serve(origin, () => (origin.served > 10 * MIB ? versions.second : versions.first));
    origin.handler = (request, response) => {
      delete request.headers['if-range'];
      handler(request, response);
    };
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(other));
  });

  test('again and again fails in the end', async () => {
    let count = 0;
    origin.handler = serve(origin, () => ({
      bytes: one,
      etag: `"${(count += 1)}"`,
      write: (response, body) => {
        response.write(body.subarray(0, MIB));
        setTimeout(() => response.destroy(), 20);
      },
    }));
    const { failure, kept } = await scene.fetch(origin.url('/x.bin'));
    expect(failure).toMatchObject({ error: 'source_changed', final: false });
    expect(kept).toBeUndefined();
  });

  test('between two runs is downloaded again', async () => {
    origin.handler = serve(origin, () => ({
      ...versions.first,
      write: (r, body) => pour(origin, r, body, { pauseMs: 1 }),
    }));
    const first = await scene.fetch(origin.url('/x.bin'), { signal: AbortSignal.timeout(400) });
    expect(first.kept).toBeUndefined();
    origin.handler = serve(origin, () => versions.second);
    const again = await scene.fetch(origin.url('/x.bin'), { id: first.id, resume: first.resume });
    expect(again.sha256).toBe(sha256(other));
  });

  test('only in its ETag stays one file', async () => {
    let count = 0;
    origin.handler = serve(origin, () => ({ bytes: one, etag: `"head-${(count += 1) % 3}"` }));
    expect((await scene.fetch(origin.url('/x.bin'))).sha256).toBe(sha256(one));
  });
});

describe('a connection', () => {
  test('that breaks again and again is reopened, and little is sent twice', async () => {
    origin.handler = serve(origin, () => ({
      bytes: one,
      etag: '"1"',
      write: (r, body) => pour(origin, r, body, { pauseMs: 1 }),
    }));
    const cutting = setInterval(() => origin.cut(), 150);
    const { sha256: arrived } = await scene.fetch(origin.url('/x.bin'));
    clearInterval(cutting);
    expect(arrived).toBe(sha256(one));
    expect(origin.served).toBeLessThan(one.byteLength * 1.5);
  });

  test('over which a site asks to retry later is retried, within limits', async () => {
    let refusals = 0;
    const good = serve(origin, () => ({ bytes: one.subarray(0, 1000), etag: '"1"' }));
    origin.handler = (request, response) => {
      if ((refusals += 1) <= 2) return void response.writeHead(503, { 'retry-after': '1' }).end();
      good(request, response);
    };
    const started = performance.now();
    expect((await scene.fetch(origin.url('/x.bin'))).error).toBeUndefined();
    expect(performance.now() - started).toBeGreaterThan(1900);
    origin.handler = (_, response) => response.writeHead(429, { 'retry-after': '86400' }).end();
    const again = performance.now();
    expect((await scene.fetch(origin.url('/x.bin'))).failure).toMatchObject({
      error: 'source_failed',
      final: false,
    });
    expect(performance.now() - again).toBeLessThan(2000);
  });
});

describe('stopping', () => {
  test.for([
    ['while the answer is awaited', (): void => {}],
    ['in the middle of the file', undefined],
  ] as const)('%s ends everything soon', async ([, handler]) => {
    origin.handler =
      handler ??
      serve(origin, () => ({
        bytes: one,
        etag: '"1"',
        write: (r, body) => pour(origin, r, body, { pauseMs: 5 }),
      }));
    const stopping = new AbortController();
    const running = scene.fetch(origin.url('/x.bin'), { signal: stopping.signal });
    await expect.poll(() => origin.open()).toBeGreaterThan(0);
    const started = performance.now();
    stopping.abort();
    expect((await running).kept).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
    await expect.poll(() => origin.open()).toBe(0);
  });

  test('keeps what was staged for the next run, until it is deleted', async () => {
    origin.handler = serve(origin, () => ({
      bytes: one,
      etag: '"1"',
      write: (r, body) => pour(origin, r, body, { pauseMs: 1 }),
    }));
    const stopping = new AbortController();
    const first = await scene.fetch(origin.url('/x.bin'), {
      signal: stopping.signal,
      onProgress: ({ received }) => received > 60 * MIB && stopping.abort(),
    });
    expect(first.kept).toBeUndefined();
    const before = origin.served;
    const again = await scene.fetch(origin.url('/x.bin'), { id: first.id, resume: first.resume });
    expect(again.sha256).toBe(sha256(one));
    expect(origin.served - before).toBeLessThan(45 * MIB);

    const third = await scene.fetch(origin.url('/x.bin'), { signal: AbortSignal.timeout(300) });
    await scene.engine.forget(third.id, 1);
    await scene.engine.forget(first.id, 1);
    await scene.engine.forget('unknown', 7);
    const left = await scene.leftovers();
    expect(left.filter((name) => name.includes(first.id) || name.includes(third.id))).toEqual([]);
    expect(await scene.storage.stat(again.kept!.storeKey)).toEqual({ size: one.byteLength });
  });
});

test('no test above left an incomplete file', async () => {
  expect((await scene.leftovers()).filter((name) => name.includes('incoming'))).toEqual([]);
});
