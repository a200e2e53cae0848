import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMagnet, type FetchEvent, type TorrentSpec } from '@bowerbird/contract';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher, type Fetcher } from '../testing/fetcher.ts';
import { forge, naming, startOrigin, startPeer, startRogue, startTrap } from '../testing/peers.ts';
import { hashOf, noise } from '../testing/torrents.ts';
import { writeBencoded } from './bencode.ts';
import { readTorrent } from './torrent-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bowerbird-hostile-'));
let fetcher: Fetcher;
let storage: BlobStore;

beforeAll(async () => {
  storage = await openBlobStore(join(folder, 'storage'));
  fetcher = await startFetcher({ storage: join(folder, 'storage'), scratch: join(folder, 'scratch') });
});

afterAll(async () => {
  await fetcher.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

function specOf(
  info: Buffer,
  trackers: readonly string[] = [],
  webSeeds: readonly string[] = [],
): TorrentSpec {
  const file = writeBencoded(
    new Map<string, string | string[][] | string[] | { raw: Buffer }>([
      ['announce-list', trackers.map((tracker) => [tracker])],
      ['info', { raw: info }],
      ['url-list', [...webSeeds]],
    ]),
  );
  const { infoHash, magnet, file: torrent } = readTorrent(file).torrent!;
  return { kind: 'torrent', infoHash, magnet, torrent };
}

const magnetOf = (infoHash: string, tracker: string): TorrentSpec => ({
  kind: 'torrent',
  infoHash,
  magnet: writeMagnet({ infoHash, name: 'x', trackers: [tracker], webSeeds: [] }),
});

function fetch(id: string, spec: TorrentSpec, by = fetcher): Promise<FetchEvent> {
  const rest = { generation: 1, wanted: null, kept: [], resume: null, maxBytes: 2 ** 40 };
  by.send({ type: 'fetch', id, spec, ...rest });
  return by.last(id);
}

async function expectKept(id: string, bytes: Uint8Array, by = fetcher): Promise<void> {
  const kept = by.events(id).find((event) => event.type === 'kept');
  const blob = await storage.open(kept!.file.storeKey);
  expect(hashOf(Buffer.concat(await Array.fromAsync(blob.stream)))).toBe(hashOf(bytes));
}

describe('peers', { concurrent: true, timeout: 180_000 }, () => {
  it('that send wrong bytes are banned, and the file comes from others', async () => {
    const bytes = noise(3_000_000);
    const torrent = forge(bytes, { name: 'wrong' });
    const liar = await startPeer('127.0.0.2', {
      ...torrent,
      bytes,
      give: (block) => Buffer.alloc(block.length),
    });
    const honest = await startPeer('127.0.0.3', { ...torrent, bytes });
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => [liar.address, honest.address]),
    );
    expect((await fetch('wrong', specOf(torrent.info, [tracker.url]))).type).toBe('settled');
    await expectKept('wrong', bytes);
    expect(liar.met).toBeLessThanOrEqual(3);
    await Promise.all([liar.close(), honest.close(), tracker.close()]);
  });

  it('that send some wrong bytes among correct ones are identified', async () => {
    const bytes = noise(6_000_000);
    const torrent = forge(bytes, { name: 'mixed', pieceLength: 2 ** 20 });
    let lies = 0;
    const give = (block: Uint8Array): Uint8Array =>
      (lies += 1) % 5 === 0 ? Buffer.alloc(block.length) : block;
    const liar = await startPeer('127.0.0.4', { ...torrent, bytes, give });
    const honest = await startPeer('127.0.0.5', { ...torrent, bytes });
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => [liar.address, honest.address]),
    );
    expect((await fetch('mixed', specOf(torrent.info, [tracker.url]))).type).toBe('settled');
    await expectKept('mixed', bytes);
    await Promise.all([liar.close(), honest.close(), tracker.close()]);
  });

  it('that send garbage, send endlessly, or stay silent do not disturb a download', async () => {
    const bytes = noise(2_000_000);
    const torrent = forge(bytes, { name: 'nonsense' });
    const frame = (type: number, body: Buffer): Buffer => {
      const head = Buffer.alloc(5);
      head.writeUInt32BE(body.length + 1);
      head[4] = type;
      return Buffer.concat([head, body]);
    };
    const pour = (socket: Socket): void => {
      const flow = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) continue;
      };
      socket.on('drain', flow);
      flow();
    };
    const rogue = (host: string, then: (socket: Socket) => void) => startRogue(host, torrent.infoHash, then);
    const endless = await rogue('127.0.1.1', (socket) => {
      socket.write(Buffer.from('7fffffff14', 'hex'));
      pour(socket);
    });
    const rogues = [
      endless,
      await rogue('127.0.1.2', (socket) => void socket.write(randomBytes(4000))),
      await rogue(
        '127.0.1.3',
        (socket) => void socket.write(frame(20, Buffer.from('\0d1:md11:ut_metadata'))),
      ),
      await rogue('127.0.1.4', (socket) => void socket.write(frame(20, Buffer.from('\0d1:mi1e4:reqq1:xe')))),
      await rogue(
        '127.0.1.5',
        (socket) => void socket.write(frame(20, Buffer.from('\0d1:md6:ut_pexd1:ai1eeee'))),
      ),
      await rogue('127.0.1.6', (socket) => void socket.write(frame(4, Buffer.from('ffffffff', 'hex')))),
      await rogue('127.0.1.7', (socket) => void socket.write(frame(5, randomBytes(1000)))),
      await rogue('127.0.1.8', (socket) => void socket.write(frame(7, Buffer.alloc(3)))),
      await rogue('127.0.1.9', (socket) => void socket.write(frame(6, randomBytes(12)))),
      await rogue('127.0.1.10', (socket) => void socket.destroy()),
      await rogue('127.0.1.11', () => {}),
    ];
    const honest = await startPeer('127.0.0.6', { ...torrent, bytes });
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => [...rogues, honest].map(({ address }) => address)),
    );
    expect((await fetch('nonsense', specOf(torrent.info, [tracker.url]))).type).toBe('settled');
    await expectKept('nonsense', bytes);
    expect(endless.met).toBeGreaterThan(0);
    expect(endless.sent).toBeLessThan(64 * 2 ** 20);
    await Promise.all([...rogues, honest, tracker].map((one) => one.close()));
  });

  it('that send endless or wrong metadata are not believed', async () => {
    const bytes = noise(100_000);
    const torrent = forge(bytes, { name: 'described' });
    const endless = await startPeer('127.0.0.7', { ...torrent, bytes, metadataSize: 2 ** 31 });
    const other = await startPeer('127.0.0.8', { ...torrent, bytes, info: randomBytes(torrent.info.length) });
    const honest = await startPeer('127.0.0.9', { ...torrent, bytes, info: torrent.info });
    const peers = [endless, other, honest];
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => peers.map(({ address }) => address)),
    );
    expect((await fetch('described', magnetOf(torrent.infoHash, tracker.url))).type).toBe('settled');
    await expectKept('described', bytes);
    await Promise.all([...peers, tracker].map((one) => one.close()));
  });

  it('that send metadata with the right hash that is not a torrent end the lookup for good', async () => {
    for (const [n, text] of ['garbage', 'd4:name1:xe', 'i1e', `d6:pieces20:${'x'.repeat(20)}e`].entries()) {
      const info = Buffer.from(text);
      const infoHash = createHash('sha1').update(info).digest('hex');
      const peer = await startPeer('127.0.0.10', { infoHash, bytes: info, pieceLength: 1, info });
      const tracker = await startOrigin(
        '127.0.0.1',
        naming(() => [peer.address]),
      );
      fetcher.send({
        type: 'inspect',
        id: `none${n}`,
        spec: magnetOf(infoHash, tracker.url),
        timeoutMs: 10_000,
      });
      const { failure } = await fetcher.wait(`none${n}`, 'failed');
      expect(failure).toMatchObject({ error: 'torrent_invalid', final: true });
      await Promise.all([peer.close(), tracker.close()]);
    }
  });

  it('learn of a private torrent through its tracker only', async () => {
    const bytes = noise(100_000);
    const torrent = forge(bytes, { name: 'private', isPrivate: true });
    const peer = await startPeer('127.0.0.11', { ...torrent, bytes });
    const tracker = await startOrigin(
      '127.0.0.1',
      naming(() => [peer.address]),
    );
    expect((await fetch('private', specOf(torrent.info, [tracker.url]))).type).toBe('settled');
    expect(peer.greetings.some(({ dht }) => dht === false)).toBe(true);
    expect(peer.greetings.some(({ dht }) => dht)).toBe(false);
    expect(peer.greetings.flatMap(({ extensions = [] }) => extensions)).not.toContain('ut_pex');
    await Promise.all([peer.close(), tracker.close()]);
  });
});

it('trackers and web seeds that send garbage or hang up do no harm', { timeout: 180_000 }, async () => {
  const bytes = noise(1_000_000);
  const torrent = forge(bytes, { name: 'trackers' });
  const honest = await startPeer('127.0.0.12', { ...torrent, bytes });
  const origins = await Promise.all([
    startOrigin('127.0.0.1', (_request, response) => void response.end('d14:failure reasoni1ee')),
    startOrigin('127.0.0.1', (_request, response) => void response.end('d5:peersd1:ai1eee')),
    startOrigin('127.0.0.1', (_request, response) => void response.end('i1e')),
    startOrigin('127.0.0.1', (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('d8:');
      setTimeout(() => response.destroy(), 50);
    }),
    startOrigin('127.0.0.1', (_request, response) => {
      const flow = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) continue;
      };
      response.on('drain', flow);
      flow();
    }),
    startOrigin(
      '127.0.0.1',
      naming(() => ['no.address:80', '127.0.0.1:0', ':', '[::1', honest.address]),
    ),
  ]);
  const urls = origins.map(({ url }) => url);
  const last = await fetch('trackers', specOf(torrent.info, urls, urls));
  expect(last.type).toBe('settled');
  await expectKept('trackers', bytes);
  await Promise.all([honest, ...origins].map((one) => one.close()));
});

it('no torrent connects to private addresses', { timeout: 180_000 }, async () => {
  const by = await startFetcher({
    storage: join(folder, 'storage'),
    scratch: join(folder, 'scratch'),
    allow: ['127.0.0.2/32'],
  });
  const trap = await startTrap('127.0.0.1');
  const datagrams = createSocket('udp4').bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  let received = 0;
  datagrams.on('message', () => (received += 1));
  const udp = `udp://127.0.0.1:${(datagrams.address() as AddressInfo).port}`;
  const bytes = noise(1_000_000);
  const torrent = forge(bytes, { name: 'forbidden' });
  const honest = await startPeer('127.0.0.2', { ...torrent, bytes, info: torrent.info });
  const port = trap.address.split(':')[1];
  const peers = [trap.address, `::ffff:127.0.0.1`, `localhost:${port}`, `0.0.0.0:${port}`, honest.address];
  const tracker = await startOrigin(
    '127.0.0.2',
    naming(() => peers),
  );
  const redirect = await startOrigin('127.0.0.2', (_request, response) => {
    response.writeHead(302, { location: `http://${trap.address}/announce` }).end();
  });
  const trackers = [redirect.url, `http://${trap.address}/a`, `http://localhost:${port}/a`, udp, tracker.url];
  const webSeeds = [redirect.url, `http://${trap.address}/`, `http://[::ffff:127.0.0.1]:${port}/`];
  expect((await fetch('forbidden', specOf(torrent.info, trackers, webSeeds), by)).type).toBe('settled');
  await expectKept('forbidden', bytes, by);
  expect({ trap: trap.met, received }).toEqual({ trap: 0, received: 0 });
  await by.close();
  datagrams.close();
  await Promise.all([trap, honest, tracker, redirect].map((one) => one.close()));
});

/** CPU time used by a process so far, in clock ticks. */
function cpuOf(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

it('twenty thousand files do not block the process', { timeout: 180_000 }, async () => {
  const count = 20_000;
  const bytes = noise(count * 10);
  const { infoHash: _, pieceLength, info: single } = forge(bytes, { name: 'many', pieceLength: 16_384 });
  const list = Array.from({ length: count }, (__, n) => {
    const name = `file ${n}.txt`;
    return `d6:lengthi10e4:pathl3:sub${name.length}:${name}ee`;
  });
  const pieces = single.subarray(single.indexOf('6:pieces'));
  const info = Buffer.concat([
    Buffer.from(`d5:filesl${list.join('')}e4:name4:many12:piece lengthi${pieceLength}e`),
    pieces,
  ]);
  const spec = specOf(info);
  const peer = await startPeer('127.0.0.13', { infoHash: spec.infoHash, bytes, pieceLength });
  const tracker = await startOrigin(
    '127.0.0.1',
    naming(() => [peer.address]),
  );
  const small = specOf(forge(noise(10), { name: 'small' }).info);
  const cpuPerAnswer: number[] = [];
  let isOver = false;
  const asking = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const before = cpuOf(fetcher.pid);
      fetcher.send({ type: 'inspect', id: `quick${n}`, spec: small, timeoutMs: 5000 });
      await fetcher.wait(`quick${n}`, 'facts');
      cpuPerAnswer.push(cpuOf(fetcher.pid) - before);
    }
  })();
  const wanted = Array.from({ length: 300 }, (__, n) => n * 66);
  const many = specOf(info, [tracker.url]);
  const cpuBefore = cpuOf(fetcher.pid);
  fetcher.send({
    type: 'fetch',
    id: 'many',
    spec: many,
    generation: 1,
    wanted,
    kept: [],
    resume: null,
    maxBytes: 2 ** 30,
  });
  const last = await fetcher.last('many');
  isOver = true;
  await asking;
  expect(last.type).toBe('settled');
  const kept = fetcher.events('many').filter((event) => event.type === 'kept');
  expect(kept.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(wanted);
  const [reading, longest] = cpuPerAnswer.toSorted((a, b) => b - a);
  const total = cpuOf(fetcher.pid) - cpuBefore;
  // One answer waits until the torrent itself has been read.
  expect(reading! / total).toBeLessThan(0.5);
  expect(longest! / total).toBeLessThan(0.1);
  await Promise.all([peer.close(), tracker.close()]);
});
