import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchCommand, startFetcher } from '../worker/src/testing/fetcher.ts';
import { freePort, makeTorrent, startAria2Seed, startTracker } from '../worker/src/testing/torrents.ts';

// A torrent of 256 MiB is fetched from one seed, an aria2c on loopback: every piece is verified, then hashed, flushed
// and kept in the drive's storage. For comparison, in alternation, an aria2c that only stores it in a folder.

const SIZE = 256 * 2 ** 20;
const ROUNDS = Number(process.argv[2]) || 3;
const QUIET = [
  '-q',
  '--no-conf',
  '--enable-dht=false',
  '--enable-peer-exchange=false',
  '--file-allocation=none',
];

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function aria2(torrent: string, folder: string): Promise<void> {
  const options = [...QUIET, '--seed-time=0', `--listen-port=${await freePort()}`, '-d', folder];
  const [code] = await once(spawn('aria2c', [...options, torrent], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`aria2c ended with ${code}`);
}

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
const content = join(folder, 'seed');
await mkdir(content);
await writeFile(join(content, 'large.bin'), randomFillSync(Buffer.alloc(SIZE)));
const tracker = await startTracker();
const { file, spec } = makeTorrent(join(content, 'large.bin'), { trackers: [tracker.http], power: 20 });
const seed = await startAria2Seed(content, [file]);
await tracker.seeded(spec.infoHash);
const [ours, theirs]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  const fetcher = await startFetcher({ storage: join(folder, 'storage'), scratch: join(folder, 'scratch') });
  const id = `bench${round}`;
  ours.push(
    await seconds(async () => {
      fetcher.send(fetchCommand(id, spec));
      const last = await fetcher.last(id);
      if (last.type !== 'settled') throw new Error(JSON.stringify(last));
    }),
  );
  await fetcher.close();
  theirs.push(await seconds(() => aria2(file, join(folder, `theirs-${round}`))));
}
await Promise.all([seed.stop(), tracker.close()]);
await rm(folder, { recursive: true, force: true });
const [best, other] = [Math.min(...ours), Math.min(...theirs)];
const speed = (took: number): string => (SIZE / 2 ** 20 / took).toFixed(0);
console.log(
  `fetch a torrent of 256 MiB from one seed: ${speed(best)} MiB/s kept and hashed, ${(other / best).toFixed(2)} of aria2c (${speed(other)} MiB/s)`,
);
process.exit();
