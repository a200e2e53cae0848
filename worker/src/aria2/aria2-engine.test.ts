import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FetchEvent } from '@bowerbird/contract';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchCommand, hashUnder, keptOf, LOOPBACK, startFetcher, type Fetcher } from '../testing/fetcher.ts';
import { startNginx, type Nginx } from '../testing/nginx.ts';
import { startOrigin, startTrap } from '../testing/peers.ts';
import {
  freePort,
  hashOf,
  makeTorrent,
  noise,
  plantFiles,
  startAria2Seed,
  startTracker,
  type Program,
  type TestTracker,
} from '../testing/torrents.ts';
import { pour, serve, startOrigin as startSite, type Origin } from '../web/testing/origin.ts';

const MIB = 1024 * 1024;
const SECRET = 'not guessed';
const folder = mkdtempSync(join(tmpdir(), 'bowerbird-aria2-'));
const film = noise(24 * MIB);
const season = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `part ${n % 3}/episode ${n}.bin`,
    noise(n % 20 === 0 ? 0 : 20_000 + n * 977),
  ]),
);

let aria2: ChildProcess;
let rpc: string;
let storage: BlobStore;
let nginx: Nginx;
let tracker: TestTracker;
let seed: Program;
let torrent: ReturnType<typeof makeTorrent>;
let fetcher: Fetcher;

beforeAll(async () => {
  const port = await freePort();
  aria2 = spawn(
    'aria2c',
    [
      '--enable-rpc',
      `--rpc-listen-port=${port}`,
      `--rpc-secret=${SECRET}`,
      '--enable-dht=false',
      `--dir=${join(folder, 'elsewhere')}`,
      '--no-conf',
    ],
    { stdio: 'ignore' },
  );
  rpc = `http://token:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/jsonrpc`;
  storage = await openBlobStore(join(folder, 'storage'));
  nginx = await startNginx();
  writeFileSync(join(nginx.files, 'film one.bin'), film);
  tracker = await startTracker();
  plantFiles(join(folder, 'seed', 'season'), season);
  torrent = makeTorrent(join(folder, 'seed', 'season'), { trackers: [tracker.http], power: 15 });
  seed = await startAria2Seed(join(folder, 'seed'), [torrent.file]);
  await tracker.seeded(torrent.spec.infoHash);
  fetcher = await start();
});

afterAll(async () => {
  await fetcher.close();
  const ended = once(aria2, 'exit');
  aria2.kill('SIGKILL');
  await ended;
  await Promise.all([seed.stop(), tracker.close(), nginx.close(), storage.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const start = (settings: { rate?: number; allow?: string[] } = {}): Promise<Fetcher> =>
  startFetcher({
    storage: join(folder, 'storage'),
    scratch: join(folder, 'scratch'),
    aria2: rpc,
    allow: LOOPBACK,
    ...settings,
  });

/** A site with the film that sends only so many bytes of it, until `give` is called. */
async function startHolding(bytes: number): Promise<{ site: Origin; give(): void }> {
  const site = await startSite();
  let most = bytes;
  site.handler = serve(site, () => ({
    bytes: film,
    etag: '"same"',
    write(response, body) {
      response.flushHeaders();
      const isInspection = body.length === 1;
      pour(site, response, body, isInspection ? {} : { most });
    },
  }));
  return {
    site,
    give() {
      most = Infinity;
      // The connections that were held get no more; aria2 opens new ones.
      site.cut();
    },
  };
}

async function callAria2(method: string): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: '1',
    method: `aria2.${method}`,
    params: [`token:${SECRET}`],
  });
  const { origin, pathname } = new URL(rpc);
  const response = await fetch(origin + pathname, { method: 'POST', body });
  expect(response.status).toBe(200);
}

describe('the aria2 engine', { timeout: 180_000 }, () => {
  it('downloads a file from a web server, named by the server and placed by us', async () => {
    fetcher.send(fetchCommand('web', { kind: 'web', url: nginx.url('/film%20one.bin') }));
    expect(await fetcher.last('web')).toEqual({ type: 'settled', id: 'web' });
    const { facts } = await fetcher.wait('web', 'facts');
    expect(facts).toMatchObject({ name: 'film one.bin', files: [{ size: film.length }] });
    expect(await hashUnder(storage, keptOf(fetcher.events('web'))[0]!.file.storeKey)).toBe(hashOf(film));
    expect(readdirSync(join(folder, 'scratch'))).not.toContain('web-1');
  });

  it('sends a member’s custom headers', async () => {
    const seen = new Set<string | undefined>();
    const origin = await startOrigin('127.0.0.1', (request, response) => {
      seen.add(request.headers.cookie);
      response.end('with a cookie');
    });
    fetcher.send(fetchCommand('cookie', { kind: 'web', url: `${origin.url}/a`, headers: { cookie: 'a=b' } }));
    expect((await fetcher.last('cookie')).type).toBe('settled');
    expect([...seen]).toEqual(['a=b']);
    await origin.close();
  });

  it('resumes a file after its process was killed, if the file is unchanged', async () => {
    const half = film.length / 2;
    const { site, give } = await startHolding(half);
    const spec = { kind: 'web', url: site.url('/film.bin') } as const;
    const doomed = await start();
    doomed.send(fetchCommand('killed', spec));
    await doomed.wait('killed', (event) => event.type === 'progress' && event.received > half * 0.9);
    const { state } = await doomed.wait('killed', 'resume');
    await doomed.kill();
    const next = await start();
    next.send(fetchCommand('killed', spec, { resume: state }));
    // The site still holds the rest back, so these bytes can only come from the disk.
    await next.wait('killed', (event) => event.type === 'progress' && event.received > half * 0.8);
    give();
    expect((await next.last('killed')).type).toBe('settled');
    expect(await hashUnder(storage, keptOf(next.events('killed'))[0]!.file.storeKey)).toBe(hashOf(film));
    await Promise.all([next.close(), site.close()]);
  });

  it('starts again with a file whose site has another version by now', async () => {
    const { site } = await startHolding(film.length / 2);
    const spec = { kind: 'web', url: site.url('/film.bin') } as const;
    const doomed = await start();
    doomed.send(fetchCommand('changed', spec));
    await doomed.wait('changed', (event) => event.type === 'progress' && event.received > MIB);
    const { state } = await doomed.wait('changed', 'resume');
    await doomed.kill();
    const other = noise(film.length);
    site.handler = serve(site, () => ({ bytes: other, etag: '"other"' }));
    const next = await start();
    next.send(fetchCommand('changed', spec, { resume: { ...(state as object), isWhole: true } }));
    expect((await next.last('changed')).type).toBe('settled');
    expect(await hashUnder(storage, keptOf(next.events('changed'))[0]!.file.storeKey)).toBe(hashOf(other));
    await Promise.all([next.close(), site.close()]);
  });

  it.each([
    ['complete, as aria2 says', false, 'first'],
    ['complete, as the record says', true, 'last'],
    ['stored, which the server was not told', true, 'none'],
  ] as const)('downloads nothing again of a file that was %s', async (left, isForgotten, known) => {
    const { site } = await startHolding(Infinity);
    const id = `whole-${known}`;
    const spec = { kind: 'web', url: site.url('/film.bin') } as const;
    const doomed = await start();
    doomed.send(fetchCommand(id, spec));
    const isWhole = (event: FetchEvent): boolean =>
      event.type === 'resume' && (event.state as { isWhole?: boolean } | null)?.isWhole === true;
    await (left.startsWith('stored') ? doomed.last(id) : doomed.wait(id, isWhole));
    await doomed.kill();
    const states = doomed.events(id).flatMap((event) => (event.type === 'resume' ? [event.state] : []));
    // As if aria2 had been restarted.
    if (isForgotten) await callAria2('purgeDownloadResult');
    const served = site.served;
    const next = await start();
    const resume = { first: states[0], last: states.at(-1), none: null }[known];
    next.send(fetchCommand(id, spec, { resume }));
    expect((await next.last(id)).type).toBe('settled');
    expect(await hashUnder(storage, keptOf(next.events(id))[0]!.file.storeKey)).toBe(hashOf(film));
    // Inspections take one byte.
    expect(site.served - served).toBeLessThan(100);
    await expect.poll(() => readdirSync(join(folder, 'scratch'))).not.toContain(`${id}-1`);
    await Promise.all([next.close(), site.close()]);
  });

  it('downloads selected files of a torrent, and names with paths stay inside its folder', async () => {
    const wanted = [...torrent.facts.files.keys()].slice(0, 30);
    fetcher.send(fetchCommand('torrent', torrent.spec, { wanted }));
    expect(await fetcher.last('torrent')).toEqual({ type: 'settled', id: 'torrent' });
    const kept = keptOf(fetcher.events('torrent'));
    expect(kept.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(wanted);
    for (const { index, file } of kept) {
      const bytes = season[torrent.facts.files[index]!.path.join('/')]!;
      expect(await hashUnder(storage, file.storeKey)).toBe(hashOf(bytes));
    }
    expect(readdirSync(join(folder, 'scratch'))).not.toContain('torrent-1');
  });

  it('resolves a magnet link', async () => {
    const { infoHash, magnet } = torrent.spec;
    fetcher.send({
      type: 'inspect',
      id: 'look',
      spec: { kind: 'torrent', infoHash, magnet },
      timeoutMs: 20_000,
    });
    const { facts } = await fetcher.wait('look', 'facts');
    expect(facts.files).toEqual(torrent.facts.files);
    expect(readdirSync(join(folder, 'scratch')).filter((name) => name.startsWith('find'))).toEqual([]);
  });

  it('stops within two seconds, together with aria2', async () => {
    const { site } = await startHolding(film.length / 2);
    const slow = await start();
    slow.send(fetchCommand('stopped', { kind: 'web', url: site.url('/film.bin') }));
    await slow.wait('stopped', (event) => event.type === 'progress' && event.received > 0);
    const began = performance.now();
    slow.send({ type: 'stop', id: 'stopped' });
    expect((await slow.last('stopped')).type).toBe('stopped');
    expect(performance.now() - began).toBeLessThan(2000);
    slow.send({ type: 'forget', id: 'stopped', generation: 1 });
    await expect.poll(() => readdirSync(join(folder, 'scratch'))).not.toContain('stopped-1');
    await Promise.all([slow.close(), site.close()]);
  });

  it('connects to no private address', async () => {
    const strict = await start({ allow: ['127.0.0.2/32'] });
    const trap = await startTrap('127.0.0.1');
    let asked = 0;
    // Serves the first request, our inspection; then redirects aria2 elsewhere.
    const origin = await startOrigin('127.0.0.2', (request, response) => {
      asked += 1;
      if (asked > 1) response.writeHead(302, { location: `http://${trap.address}/` }).end();
      else
        response
          .writeHead(200, { 'content-length': '1000000' })
          .end(Buffer.alloc(request.method === 'HEAD' ? 0 : 1_000_000));
    });
    strict.send(fetchCommand('sent', { kind: 'web', url: `${origin.url}/a` }));
    const last = (await strict.last('sent')) as Extract<FetchEvent, { type: 'failed' }>;
    expect(last.failure).toMatchObject({ error: 'link_forbidden', final: true });
    expect(trap.met).toBe(0);
    await strict.close();
    await Promise.all([trap.close(), origin.close()]);
  });

  it('reports that it is unavailable while aria2 is', async () => {
    const lonely = await startFetcher({
      storage: join(folder, 'storage'),
      scratch: join(folder, 'scratch'),
      aria2: `http://127.0.0.1:${await freePort()}/jsonrpc`,
    });
    lonely.send(fetchCommand('lonely', torrent.spec));
    const last = (await lonely.last('lonely')) as Extract<FetchEvent, { type: 'failed' }>;
    expect(last.failure).toEqual({ error: 'unavailable', final: false });
    await lonely.close();
  });
});
