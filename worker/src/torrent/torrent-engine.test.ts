import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchEvent, SourceFacts } from '@bowerbird/contract';
import { createRoom, openBlobStore, type BlobStore } from '@bowerbird/storage';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fetchCommand, hashUnder, keptOf, startFetcher, type Fetcher } from '../testing/fetcher.ts';
import { startNginx } from '../testing/nginx.ts';
import { naming, startOrigin, startPeer } from '../testing/peers.ts';
import { startRelay } from '../testing/relay.ts';
import {
  hashOf,
  makeTorrent,
  noise,
  plantFiles,
  startAria2Seed,
  startTracker,
  startTransmission,
  type Program,
  type TestTracker,
} from '../testing/torrents.ts';
import { createTorrentEngine } from './index.ts';

const MIB = 1024 * 1024;
const POWER = 17;
const PIECE = 2 ** POWER;
const folder = mkdtempSync(join(tmpdir(), 'bowerbird-torrents-'));
const film = noise(64 * MIB);
/** Three hundred files in folders, of lengths that share pieces, and empty ones. */
const season = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [
    `season/part ${n % 7}/episode ${n}.bin`,
    noise(n % 50 === 0 ? 0 : 1 + ((n * 7919) % 90_000)),
  ]),
);

let tracker: TestTracker;
let seeds: Program[];
let storage: BlobStore;
let torrents: Record<'film' | 'season' | 'secret', ReturnType<typeof makeTorrent>>;
let shared: Fetcher;
const own = new Set<Fetcher>();

beforeAll(async () => {
  tracker = await startTracker();
  plantFiles(folder, { 'film.bin': film, 'secret.bin': film.subarray(0, MIB), ...season });
  torrents = {
    film: makeTorrent(join(folder, 'film.bin'), { trackers: [tracker.http], power: 18 }),
    season: makeTorrent(join(folder, 'season'), { trackers: [tracker.udp, tracker.http], power: 16 }),
    secret: makeTorrent(join(folder, 'secret.bin'), { trackers: [tracker.http], power: 15, isPrivate: true }),
  };
  seeds = await Promise.all([
    startTransmission(folder, [torrents.season.file, torrents.secret.file]),
    startAria2Seed(folder, [torrents.film.file, torrents.season.file]),
  ]);
  storage = await openBlobStore(join(folder, 'storage'));
  shared = await startFetcher({ storage: join(folder, 'storage'), scratch: join(folder, 'scratch') });
  await Promise.all(Object.values(torrents).map(({ spec }) => tracker.seeded(spec.infoHash)));
});

afterEach(async () => {
  for (const fetcher of own) await fetcher.close();
  own.clear();
});

afterAll(async () => {
  await shared.close();
  await Promise.all(seeds.map((seed) => seed.stop()));
  await tracker.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  settings: { rate?: number; seed?: { ratio: number; minutes: number }; diskReserve?: number } = {},
): Promise<Fetcher> {
  const fetcher = await startFetcher({
    storage: join(folder, 'storage'),
    scratch: join(folder, 'scratch'),
    ...settings,
  });
  own.add(fetcher);
  return fetcher;
}

/** Returns the addresses that a process is connected to. */
function connectionsOf(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    }),
  );
  const ESTABLISHED = '01';
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === ESTABLISHED && own.has(`socket:[${fields[9]}]`))
    .map((fields) => fields[2]!);
}

/** Returns the bytes of the pieces that a job has recorded as written. */
function written(job: string): number {
  try {
    const bits = [...readFileSync(join(folder, 'scratch', job, 'written'))]
      .map((byte) => byte.toString(2))
      .join('');
    return bits.replaceAll('0', '').length * PIECE;
  } catch {
    return 0;
  }
}

async function expectFilm(events: readonly FetchEvent[]): Promise<void> {
  const [kept, ...others] = keptOf(events);
  expect(others).toEqual([]);
  expect(kept!.file.size).toBe(film.length);
  expect(await hashUnder(storage, kept!.file.storeKey)).toBe(hashOf(film));
}

/**
 * A swarm of one peer that sends only so many pieces of the file or folder at `path`, so that no download of it ends
 * before a test wants it to.
 */
async function startHolding(
  path: string,
  bytes: (facts: SourceFacts) => Uint8Array,
  power: number,
  most: () => number,
): Promise<ReturnType<typeof makeTorrent> & AsyncDisposable> {
  const met: string[] = [];
  const tracker = await startOrigin(
    '127.0.0.1',
    naming(() => met),
  );
  const torrent = makeTorrent(join(folder, path), { trackers: [tracker.url], power });
  const { infoHash } = torrent.spec;
  const content = { infoHash, bytes: bytes(torrent.facts), pieceLength: 2 ** power };
  const peer = await startPeer('127.0.0.1', { ...content, most });
  met.push(peer.address);
  return {
    ...torrent,
    async [Symbol.asyncDispose]() {
      await Promise.all([peer.close(), tracker.close()]);
    },
  };
}

const received = (events: readonly FetchEvent[]): number =>
  Math.max(0, ...events.map((event) => (event.type === 'progress' ? event.received : 0)));

describe('downloading from other clients’ seeds', { concurrent: true, timeout: 180_000 }, () => {
  it('delivers three hundred files byte for byte, and leaves nothing behind', async () => {
    const fetcher = shared;
    fetcher.send(fetchCommand('season', torrents.season.spec));
    expect(await fetcher.last('season')).toEqual({ type: 'settled', id: 'season' });
    const kept = keptOf(fetcher.events('season'));
    const { files } = torrents.season.facts;
    expect(kept.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([...files.keys()]);
    for (const { index, file } of kept) {
      const bytes = season[`season/${files[index]!.path.join('/')}`]!;
      expect(await hashUnder(storage, file.storeKey)).toBe(hashOf(bytes));
    }
    expect(readdirSync(join(folder, 'scratch'))).not.toContain('season-1');
  });

  it('keeps only selected files, and more of them when another task selects more', async () => {
    const fetcher = shared;
    const [first, second, third] = [11, 12, 200];
    fetcher.send(fetchCommand('chosen', torrents.season.spec, { wanted: [first] }));
    await fetcher.wait('chosen', 'facts');
    fetcher.send({ type: 'want', id: 'chosen', wanted: [first, second, third] });
    expect((await fetcher.last('chosen')).type).toBe('settled');
    const kept = keptOf(fetcher.events('chosen'));
    expect(kept.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([first, second, third]);
    for (const { index, file } of kept) {
      const bytes = season[`season/${torrents.season.facts.files[index]!.path.join('/')}`]!;
      expect(await hashUnder(storage, file.storeKey)).toBe(hashOf(bytes));
    }
  });

  it('resolves a magnet link without writing to the disk, then downloads it', async () => {
    const fetcher = shared;
    const { infoHash, magnet } = torrents.season.spec;
    const spec = { kind: 'torrent', infoHash, magnet } as const;
    fetcher.send({ type: 'inspect', id: 'look', spec, timeoutMs: 30_000 });
    const { facts } = await fetcher.wait('look', 'facts');
    expect(facts).toMatchObject({ kind: 'torrent', name: 'season', files: torrents.season.facts.files });
    fetcher.send(fetchCommand('magnet', { ...spec, torrent: facts.torrent!.file }, { wanted: [1] }));
    // An inspection during the fetch is answered as well.
    fetcher.send({ type: 'inspect', id: 'look2', spec, timeoutMs: 30_000 });
    expect((await fetcher.wait('look2', 'facts')).facts.torrent).toEqual(facts.torrent);
    expect((await fetcher.last('magnet')).type).toBe('settled');
    const [kept] = keptOf(fetcher.events('magnet'));
    const bytes = season[`season/${facts.files[1]!.path.join('/')}`]!;
    expect(await hashUnder(storage, kept!.file.storeKey)).toBe(hashOf(bytes));
  });

  it('uses only the peers named by the tracker for a private torrent', async () => {
    shared.send(fetchCommand('secret', torrents.secret.spec));
    expect((await shared.last('secret')).type).toBe('settled');
    const [kept] = keptOf(shared.events('secret'));
    expect(await hashUnder(storage, kept!.file.storeKey)).toBe(hashOf(film.subarray(0, MIB)));
  });

  it('fails for a magnet link without peers after the timeout', async () => {
    const fetcher = shared;
    const infoHash = 'ab'.repeat(20);
    const spec = { kind: 'torrent', infoHash, magnet: `magnet:?xt=urn:btih:${infoHash}` } as const;
    const began = performance.now();
    fetcher.send({ type: 'inspect', id: 'lost', spec, timeoutMs: 1500 });
    const { failure } = await fetcher.wait('lost', 'failed');
    expect(failure).toEqual({ error: 'source_timed_out', final: false });
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it('uses a web seed like a peer', async () => {
    const nginx = await startNginx();
    await mkdir(join(nginx.files, 'season'), { recursive: true });
    await link(join(folder, 'film.bin'), join(nginx.files, 'film.bin'));
    const { spec } = makeTorrent(join(folder, 'film.bin'), { webSeeds: [nginx.url('/film.bin')], power: 20 });
    const fetcher = shared;
    fetcher.send(fetchCommand('webseed', spec));
    expect((await fetcher.last('webseed')).type).toBe('settled');
    await expectFilm(fetcher.events('webseed'));
    await nginx.close();
  });
});

describe('a torrent process', { timeout: 180_000 }, () => {
  it('resumes after kills at 10, 50 and 99 percent', async () => {
    let most = 0;
    await using swarm = await startHolding(
      'film.bin',
      () => film,
      POWER,
      () => most,
    );
    for (const part of [0.1, 0.5, 0.99]) {
      const goal = Math.ceil((film.length * part) / PIECE);
      // Some of the pieces are requested only in part while others are held back.
      most = goal + 4;
      const fetcher = await start();
      fetcher.send(fetchCommand('killed', swarm.spec));
      while (written('killed-1') < goal * PIECE) await sleep(5);
      await fetcher.kill();
      most = 0;
      const before = written('killed-1');
      expect(before).toBeLessThan(film.length);
      const next = await start();
      next.send(fetchCommand('killed', swarm.spec));
      await next.wait('killed', (event) => event.type === 'progress' && event.step !== 'resolving');
      expect(received(next.events('killed'))).toBe(before);
      await next.kill();
    }
    most = Infinity;
    const last = await start();
    last.send(fetchCommand('killed', swarm.spec));
    expect((await last.last('killed')).type).toBe('settled');
    await expectFilm(last.events('killed'));
  });

  it('downloads nothing twice that was stored before a kill, even if the server was not told of it', async () => {
    const size = Object.values(season).reduce((sum, { length }) => sum + length, 0);
    let most = Math.floor((size * 0.75) / 2 ** 15);
    const bytesOf = ({ files }: SourceFacts): Buffer =>
      Buffer.concat(files.map(({ path }) => season[`season/${path.join('/')}`]!));
    await using swarm = await startHolding('season', bytesOf, 15, () => most);
    const { facts } = swarm;
    const fetcher = await start();
    fetcher.send(fetchCommand('storing', swarm.spec));
    let seen = 0;
    await fetcher.wait('storing', (event) => event.type === 'kept' && (seen += 1) > 100);
    await fetcher.kill();
    const early = keptOf(fetcher.events('storing'));
    most = Infinity;
    const next = await start();
    const heard = early.slice(0, 50).map(({ index }) => index);
    next.send(fetchCommand('storing', swarm.spec, { kept: heard }));
    await next.wait('storing', (event) => event.type === 'progress' && event.step !== 'resolving');
    const sizes = facts.files.map(({ size }) => size!);
    const before = early.reduce((sum, { index }) => sum + sizes[index]!, 0);
    expect(received(next.events('storing'))).toBeGreaterThanOrEqual(before);
    expect((await next.last('storing')).type).toBe('settled');
    const late = keptOf(next.events('storing'));
    const stored = [...heard, ...late.map(({ index }) => index)].toSorted((a, b) => a - b);
    expect(stored).toEqual([...facts.files.keys()]);
    for (const { index, file } of late) {
      const bytes = season[`season/${facts.files[index]!.path.join('/')}`]!;
      expect(await hashUnder(storage, file.storeKey)).toBe(hashOf(bytes));
    }
  });

  it('stops within two seconds, keeps its progress, and deletes it on request', async () => {
    await using swarm = await startHolding(
      'film.bin',
      () => film,
      POWER - 1,
      () => 20,
    );
    const fetcher = await start();
    fetcher.send(fetchCommand('stopped', swarm.spec));
    await fetcher.wait('stopped', (event) => event.type === 'progress' && event.received > 0);
    const began = performance.now();
    fetcher.send({ type: 'stop', id: 'stopped' });
    expect((await fetcher.last('stopped')).type).toBe('stopped');
    expect(performance.now() - began).toBeLessThan(2000);
    expect(connectionsOf(fetcher.pid)).toEqual([]);
    expect(readdirSync(join(folder, 'scratch'))).toContain('stopped-1');
    fetcher.send({ type: 'forget', id: 'stopped', generation: 1 });
    await expect.poll(() => readdirSync(join(folder, 'scratch'))).not.toContain('stopped-1');
  });

  it('writes nothing into the disk reserve, and reports a full disk', async () => {
    const fetcher = await start({ diskReserve: 2 ** 50 });
    fetcher.send(fetchCommand('full', torrents.film.spec));
    expect(await fetcher.last('full')).toMatchObject({
      type: 'failed',
      failure: { error: 'disk_full', final: false },
    });
    expect(written('full-1')).toBe(0);
  });

  it('gives up a torrent without seeds', async () => {
    const engine = createTorrentEngine({
      scratch: join(folder, 'scratch'),
      storing: {
        keep: () => Promise.reject(new Error('nothing')),
        found: () => Promise.resolve(undefined),
        identify: () => Promise.reject(new Error('nothing')),
      },
      scratchRoom: createRoom({ freeSpace: async () => null }, 0),
      rate: null,
      seed: { ratio: 0, minutes: 0 },
      bootstrap: [],
      timeouts: { aloneMs: 1500, stalledMs: 60_000 },
    });
    const lonely = makeTorrent(join(folder, 'secret.bin'), { power: 17 });
    const job = {
      id: 'lonely',
      spec: lonely.spec,
      generation: 1,
      wanted: { has: () => true, onChange: () => {} },
      kept: new Set<number>(),
      resume: null,
      maxBytes: 2 ** 40,
    };
    const nobody = (): void => {};
    const report = { facts: nobody, progress: nobody, resume: nobody, kept: nobody, failed: nobody };
    await expect(engine.fetch(job, report, new AbortController().signal)).rejects.toMatchObject({
      failure: { error: 'torrent_no_peers', final: false },
    });
    await engine.close();
  });

  it('reports a torrent that is too large before downloading anything', async () => {
    const fetcher = await start();
    fetcher.send(fetchCommand('large', torrents.film.spec, { maxBytes: film.length - 1 }));
    const { failure } = (await fetcher.last('large')) as Extract<FetchEvent, { type: 'failed' }>;
    expect(failure).toEqual({ error: 'source_too_large', final: true });
  });

  it('seeds as long as configured', async () => {
    const fetcher = await start({ seed: { ratio: 1, minutes: 0.05 } });
    fetcher.send(fetchCommand('given', torrents.film.spec));
    const step = await fetcher.wait(
      'given',
      (event) => event.type === 'progress' && event.step === 'seeding',
    );
    expect(step).toMatchObject({ received: film.length });
    expect((await fetcher.last('given')).type).toBe('settled');
  });
});

describe('a torrent after a network failure', { concurrent: true, timeout: 120_000 }, () => {
  it.each([
    ['torn', 'tear', 19],
    ['silent', 'silence', 20],
  ] as const)('resumes when the network was %s for a while', async (id, fail, power) => {
    const met: string[] = [];
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => met),
    );
    const { file, spec } = makeTorrent(join(folder, 'film.bin'), { trackers: [tracker.url], power });
    const seed = await startAria2Seed(folder, [file]);
    const relay = await startRelay(seed.port);
    met.push(relay.address);
    const fetcher = await startFetcher({
      storage: join(folder, 'storage'),
      scratch: join(folder, 'scratch'),
    });
    const failed = relay[fail](film.length * 0.3);
    fetcher.send(fetchCommand(id, spec));
    await failed;
    await sleep(1500);
    relay.mend();
    expect((await fetcher.last(id)).type).toBe('settled');
    await expectFilm(fetcher.events(id));
    expect(relay.carried).toBeLessThan(film.length * 1.1);
    await Promise.all([fetcher.close(), relay.close(), tracker.close(), seed.stop()]);
  });
});
