import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchCommand, FetchEvent } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFetcher, type Fetcher } from '../testing/fetcher.ts';
import { startNginx, type Nginx } from '../testing/nginx.ts';
import { pour, serve, sha256, startOrigin } from './testing/origin.ts';
import { sha256Of } from './testing/scene.ts';

const MIB = 2 ** 20;
const bytes = randomBytes(96 * MIB + 77);
const wanted = sha256(bytes);

let folder: string;
let nginx: Nginx;
let settings: { storage: string; scratch: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-fetcher-'));
  settings = { storage: join(folder, 'storage'), scratch: join(folder, 'scratch') };
  nginx = await startNginx();
  await writeFile(join(nginx.files, 'large.bin'), bytes);
  await writeFile(join(nginx.files, 'empty.bin'), '');
});
afterAll(async () => {
  await nginx.close();
  await rm(folder, { recursive: true });
});

let count = 0;
function commandOf(url: string, rest: Partial<Extract<FetchCommand, { type: 'fetch' }>> = {}) {
  return {
    type: 'fetch',
    id: `source${(count += 1)}`,
    spec: { kind: 'web', url },
    generation: 3,
    wanted: null,
    kept: [],
    resume: null,
    maxBytes: 2 ** 40,
    ...rest,
  } as const satisfies FetchCommand;
}

async function storedSha256(key: string): Promise<string> {
  const storage = await openBlobStore(settings.storage);
  return sha256Of(storage, key).finally(() => storage.close());
}

describe('the fetcher with nginx', () => {
  test('inspects, downloads and stores files, including an empty one', async () => {
    await using fetcher = await disposable(startFetcher(settings));
    fetcher.send({
      type: 'inspect',
      id: 'look',
      spec: { kind: 'web', url: nginx.url('/large.bin') },
      timeoutMs: 5000,
    });
    expect(await fetcher.wait('look', 'facts')).toMatchObject({
      facts: {
        kind: 'web',
        name: 'large.bin',
        files: [{ index: 0, path: ['large.bin'], size: bytes.byteLength }],
      },
    });
    const large = commandOf(nginx.url('/large.bin'));
    const empty = commandOf(nginx.url('/empty.bin'));
    const missing = commandOf(nginx.url('/missing.bin'));
    for (const command of [large, empty, missing]) fetcher.send(command);
    expect((await fetcher.last(large.id)).type).toBe('settled');
    const { file } = await fetcher.wait(large.id, 'kept');
    expect(file.size).toBe(bytes.byteLength);
    expect(await storedSha256(file.storeKey)).toBe(wanted);
    expect((await fetcher.last(empty.id)).type).toBe('settled');
    expect((await fetcher.wait(empty.id, 'kept')).file.size).toBe(0);
    expect(await fetcher.last(missing.id)).toMatchObject({
      type: 'failed',
      failure: { error: 'source_not_found', final: true },
    });
  });

  test.for([10, 50, 99])('resumes at %d % after a kill', async (percent) => {
    const goal = (bytes.byteLength * percent) / 100;
    const origin = await startOrigin();
    let most = goal;
    origin.handler = serve(origin, () => ({
      bytes,
      etag: '"same"',
      write: (response, body) => pour(origin, response, body, { most }),
    }));
    const command = commandOf(origin.url('/large.bin'));
    const doomed = await startFetcher(settings);
    doomed.send(command);
    const { state: resume } = await doomed.wait(command.id, 'resume');
    while (origin.served < goal) await sleep(10);
    await sleep(300);
    await doomed.kill();
    const durable = await stagedBytes(command.id);
    const served = origin.served;
    most = Infinity;

    await using heir = await disposable(startFetcher(settings));
    heir.send({ ...command, resume });
    expect((await heir.last(command.id)).type).toBe('settled');
    const { file } = await heir.wait(command.id, 'kept');
    expect(await storedSha256(file.storeKey)).toBe(wanted);
    // Each connection loses no more than its current part.
    expect(durable).toBeGreaterThan(goal - 4 * 16 * MIB - MIB);
    // Reported progress never decreases.
    const told = heir
      .events(command.id)
      .flatMap((event) => (event.type === 'progress' ? [event.received] : []));
    expect(Math.min(...told)).toBeGreaterThanOrEqual(durable);
    expect(origin.served - served).toBeLessThanOrEqual(bytes.byteLength - durable + MIB);
    expect(heir.events(command.id)[0]).toMatchObject({ type: 'facts', facts: { name: 'large.bin' } });
    await origin.close();
  });

  test.for([
    ['a small file', 3 * MIB + 5, MIB],
    ['a larger one', 80 * MIB, 5 * MIB],
  ] as const)('resumes %s whose site sent a little and then nothing', async ([, size, goal]) => {
    const whole = bytes.subarray(0, size);
    const origin = await startOrigin();
    let most: number = goal;
    origin.handler = serve(origin, () => ({
      bytes: whole,
      etag: '"same"',
      write: (response, body) => pour(origin, response, body, { most }),
    }));
    const command = commandOf(origin.url('/slow.bin'));
    const doomed = await startFetcher(settings);
    doomed.send(command);
    const { state: resume } = await doomed.wait(command.id, 'resume');
    // All bytes become durable although no more arrive, except incomplete cells.
    await expect
      .poll(() => stagedBytes(command.id), { timeout: 20_000 })
      .toBeGreaterThan(goal - 4 * 64 * 1024);
    await doomed.kill();
    const [durable, served, asked] = [await stagedBytes(command.id), origin.served, origin.requests.length];
    most = Infinity;

    await using heir = await disposable(startFetcher(settings));
    heir.send({ ...command, resume });
    expect((await heir.last(command.id)).type).toBe('settled');
    const { file } = await heir.wait(command.id, 'kept');
    expect(await storedSha256(file.storeKey)).toBe(sha256(whole));
    expect(origin.served - served).toBe(size - durable);
    for (const { headers } of origin.requests.slice(asked))
      expect(headers).toMatchObject({ 'if-range': '"same"', range: expect.not.stringMatching(/^bytes=0-/) });
    await origin.close();
  });

  test.for([
    ['has changed meanwhile', { etag: '"other"' }],
    ['knows nothing of ranges any more', { ranges: false }],
    ['calls it by a weak tag now', { etag: 'W/"same"' }],
  ] as const)('restarts a file that %s', async ([, now]) => {
    const origin = await startOrigin();
    const served = { bytes: bytes.subarray(0, 2 * MIB), etag: '"same"' };
    let isHeld = true;
    origin.handler = serve(origin, () => ({
      ...(isHeld ? served : { bytes: bytes.subarray(1, 2 * MIB + 1), ...now }),
      write: (response, body) => pour(origin, response, body, isHeld ? { most: MIB } : {}),
    }));
    const command = commandOf(origin.url('/changed.bin'));
    const doomed = await startFetcher(settings);
    doomed.send(command);
    const { state: resume } = await doomed.wait(command.id, 'resume');
    await expect.poll(() => stagedBytes(command.id), { timeout: 20_000 }).toBeGreaterThan(MIB / 2);
    await doomed.kill();
    isHeld = false;

    await using heir = await disposable(startFetcher(settings));
    heir.send({ ...command, resume });
    expect((await heir.last(command.id)).type).toBe('settled');
    const { file } = await heir.wait(command.id, 'kept');
    expect(await storedSha256(file.storeKey)).toBe(sha256(bytes.subarray(1, 2 * MIB + 1)));
    await origin.close();
  });

  test('stops within two seconds, and frees everything', async () => {
    const origin = await startOrigin();
    // Holds the rest back, so that the download can't end by itself.
    const most = bytes.byteLength / 2;
    origin.handler = serve(origin, () => ({
      bytes,
      etag: '"held"',
      write: (response, body) => pour(origin, response, body, { most }),
    }));
    await using fetcher = await disposable(startFetcher(settings));
    const command = commandOf(origin.url('/large.bin'));
    fetcher.send(command);
    await fetcher.wait(command.id, (event) => event.type === 'progress' && event.received > 0);
    const started = performance.now();
    fetcher.send({ type: 'stop', id: command.id });
    expect((await fetcher.last(command.id)).type).toBe('stopped');
    expect(performance.now() - started).toBeLessThan(2000);
    expect(await openFilesOf(fetcher, settings.storage)).toEqual([]);
    fetcher.send({ type: 'forget', id: command.id, generation: command.generation });
    while ((await readdir(join(settings.storage, 'staged'))).some((name) => name.includes(command.id)))
      await sleep(10);
    await origin.close();
  });

  test('resumes after a network failure', async () => {
    const origin = await startOrigin();
    let most = bytes.byteLength * 0.2;
    origin.handler = serve(origin, () => ({
      bytes,
      etag: '"cut"',
      write: (r, body) => pour(origin, r, body, { most }),
    }));
    await using fetcher = await disposable(startFetcher(settings));
    const command = commandOf(origin.url('/cut.bin'));
    fetcher.send(command);
    for (const part of [0.4, 0.6, Infinity]) {
      while (origin.served < most) await sleep(5);
      origin.cut();
      most = bytes.byteLength * part;
    }
    expect((await fetcher.last(command.id)).type).toBe('settled');
    expect(await storedSha256((await fetcher.wait(command.id, 'kept')).file.storeKey)).toBe(wanted);
    await origin.close();
  });
});

test('a fetcher on a disk full up to its reserve accepts no data', async () => {
  await using fetcher = await disposable(startFetcher({ ...settings, diskReserve: 2 ** 50 }));
  const command = commandOf(nginx.url('/large.bin'));
  fetcher.send(command);
  expect(await fetcher.last(command.id)).toMatchObject({ failure: { error: 'disk_full', final: false } });
  expect(await stagedBytes(command.id)).toBe(0);
});

describe('a fetcher with hostile links', () => {
  test('connects to no private address, whatever links and redirects contain', async () => {
    let heard = 0;
    const victim = createServer((socket) => {
      heard += 1;
      socket.destroy();
    }).listen(0, '::');
    await once(victim, 'listening');
    const { port } = victim.address() as AddressInfo;
    // The redirects are sent by an allowed address; all other loopback addresses are forbidden.
    const origin = await startOrigin();
    origin.handler = ({ url }, response) =>
      response
        .writeHead(302, { location: Buffer.from(decodeURIComponent(url!.slice(1))).toString('latin1') })
        .end();
    await using fetcher = await disposable(startFetcher({ ...settings, allow: ['127.0.0.1/32'] }));
    await using closed = await disposable(startFetcher({ ...settings, allow: [] }));

    const hosts = [
      '127.0.0.2',
      '127.1.1.1',
      '2130706434',
      '0x7f000002',
      '0177.0.0.2',
      '0x7f.2',
      '127.2',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.2]',
      '[::ffff:7f00:2]',
      '[64:ff9b::7f00:2]',
      '0.0.0.0',
      '169.254.169.254',
      '[::ffff:a9fe:a9fe]',
      '[fd00:ec2::254]',
      '10.0.0.1',
      '192.168.0.1',
      '100.100.100.200',
      '%31%32%37.0.0.2',
      '127。0。0。2',
      '①②⑦.0.0.2',
    ];
    const refused: Promise<FetchEvent>[] = [];
    const ask = (asked: Fetcher, url: string): void => {
      const id = `hostile${(count += 1)}`;
      asked.send({ type: 'inspect', id, spec: { kind: 'web', url }, timeoutMs: 5000 });
      refused.push(asked.last(id).then((event) => ({ ...event, id: url }) as FetchEvent));
    };
    for (const host of hosts) {
      ask(fetcher, `http://${host}:${port}/`);
      ask(fetcher, origin.url(`/${encodeURIComponent(`http://${host}:${port}/`)}`));
      ask(fetcher, origin.url(`/${encodeURIComponent(`https://${host}:${port}/`)}`));
      ask(closed, `http://${host}:${port}/`);
    }
    for (const host of ['localhost', '127.0.0.1', '127.0.0.1.', 'LOCALHOST', 'ip6-localhost'])
      ask(closed, `http://${host}:${port}/`);
    const events = await Promise.all(refused);
    const others = events.filter(
      (event) =>
        event.type !== 'failed' || !['link_forbidden', 'source_unreachable'].includes(event.failure.error),
    );
    expect(others).toEqual([]);
    const forbidden = events.filter(
      (event) => event.type === 'failed' && event.failure.error === 'link_forbidden',
    );
    expect(forbidden.length).toBeGreaterThan(events.length * 0.95);
    expect(heard).toBe(0);
    victim.close();
    await origin.close();
  });
});

async function disposable(starting: Promise<Fetcher>): Promise<Fetcher & AsyncDisposable> {
  const fetcher = await starting;
  return { ...fetcher, [Symbol.asyncDispose]: () => fetcher.close() };
}

async function stagedBytes(id: string): Promise<number> {
  const storage = await openBlobStore(settings.storage);
  const staging = await storage.stage(`src-${id}-3-0`);
  const parts = await staging.parts();
  await storage.close();
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the files under a folder that a process has open, where the system shows that. */
async function openFilesOf({ pid }: Fetcher, under: string): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return links.filter((link) => link.startsWith(under));
}
