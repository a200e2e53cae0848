import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FetcherSettings, FetchOrder, FetchWord } from '@bowerbird/contract';

// A torrent of 256 MiB is fetched from one seed, an aria2c on loopback: every piece checked, then hashed, flushed and
// kept in the drive's storage. Beside it, taking turns, an aria2c that leaves it in a folder.

const SIZE = 256 * 2 ** 20;
const ROUNDS = Number(process.argv[2]) || 3;
const WORKER = join(import.meta.dirname, '..', 'worker', 'src', 'main.ts');
const QUIET = [
  '-q',
  '--no-conf',
  '--enable-dht=false',
  '--enable-peer-exchange=false',
  '--file-allocation=none',
];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A tracker that knows one peer. */
async function startTracker(peer: number): Promise<string> {
  const address = Buffer.from([127, 0, 0, 1, peer >> 8, peer & 255]);
  const answer = Buffer.concat([Buffer.from('d8:intervali1800e5:peers6:'), address, Buffer.from('e')]);
  const server = createHttpServer((_request, response) => void response.end(answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/announce`;
}

async function startSeed(folder: string, torrent: string, port: number): Promise<ChildProcess> {
  const options = [...QUIET, '--seed-ratio=0.0', '-V', `--listen-port=${port}`, '-d', folder];
  const seed = spawn('aria2c', [...options, torrent], { stdio: 'ignore' });
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  while (!(await answers())) await sleep(50);
  await sleep(2000); // it reads through what it has first
  return seed;
}

/** Seconds from the order to the last word of it. */
async function fetchIt(fetcher: ChildProcess, id: string, torrent: string): Promise<number> {
  const order: FetchOrder = {
    order: 'fetch',
    id,
    spec: { kind: 'torrent', infoHash: '', magnet: '', torrent },
    generation: 1,
    wanted: null,
    kept: [],
    resume: null,
    maxBytes: SIZE,
  };
  const ended = new Promise<FetchWord>((resolve) => {
    fetcher.on('message', function listen(word: FetchWord) {
      if (!('id' in word) || word.id !== id || !['settled', 'failed', 'stopped'].includes(word.word)) return;
      fetcher.off('message', listen);
      resolve(word);
    });
  });
  const started = performance.now();
  fetcher.send(order);
  const last = await ended;
  if (last.word !== 'settled') throw new Error(JSON.stringify(last));
  return (performance.now() - started) / 1000;
}

async function aria2(torrent: string, folder: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const options = [...QUIET, '--seed-time=0', `--listen-port=${port}`, '-d', folder];
  const [code] = await once(spawn('aria2c', [...options, torrent], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`aria2c ended with ${code}`);
  return (performance.now() - started) / 1000;
}

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
const [content, file] = [join(folder, 'seed'), join(folder, 'large.torrent')];
await mkdir(content);
await writeFile(join(content, 'large.bin'), randomFillSync(Buffer.alloc(SIZE)));
const port = await freePort();
const tracker = await startTracker(port);
spawnSync('mktorrent', ['-a', tracker, '-l', '20', '-o', file, join(content, 'large.bin')]);
const seed = await startSeed(content, file, port);
const settings: FetcherSettings = {
  storage: join(folder, 'storage'),
  scratch: join(folder, 'scratch'),
  allow: ['127.0.0.0/8'],
  rate: null,
  seed: { ratio: 0, minutes: 0 },
  diskReserve: 0,
  aria2: null,
};
const torrent = (await readFile(file)).toString('base64');
const [ours, theirs]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  const fetcher = fork(WORKER, ['fetch'], {
    env: { PATH: process.env['PATH'], FETCHER: JSON.stringify(settings) },
    execArgv: [],
  });
  await once(fetcher, 'message');
  ours.push(await fetchIt(fetcher, `bench${round}`, torrent));
  fetcher.disconnect();
  await once(fetcher, 'exit');
  theirs.push(await aria2(file, join(folder, `theirs-${round}`)));
}
seed.kill();
await rm(folder, { recursive: true, force: true });
const [best, other] = [Math.min(...ours), Math.min(...theirs)];
const speed = (seconds: number): string => (SIZE / 2 ** 20 / seconds).toFixed(0);
console.log(
  `fetch a torrent of 256 MiB from one seed: ${speed(best)} MiB/s kept and hashed, ${(other / best).toFixed(2)} of aria2c (${speed(other)} MiB/s)`,
);
process.exit();
