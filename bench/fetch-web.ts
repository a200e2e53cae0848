import { spawn, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchCommand, startFetcher, type Fetcher } from '../worker/src/testing/fetcher.ts';
import { freePort } from '../worker/src/testing/torrents.ts';

// One GiB is fetched from nginx over loopback with four connections: hashed, flushed, and kept in the drive's storage
// at the end. For comparison, in alternation, aria2c with as many connections, which hashes and flushes nothing.

const SIZE = 2 ** 30;
const CHUNK = 16 * 2 ** 20;
const ROUNDS = Number(process.argv[2]) || 5;

async function makeFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'w');
  const bytes = randomFillSync(Buffer.alloc(CHUNK));
  for (let at = 0; at < size; at += CHUNK) await file.write(bytes);
  await file.close();
}

async function startNginx(folder: string): Promise<{ address: string; process: ChildProcess }> {
  const port = await freePort();
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'files'));
  await makeFile(join(folder, 'files', 'large.bin'), SIZE);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')} sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${folder}/files; } }`,
  );
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}/large.bin`;
  for (;;)
    if (await fetch(address, { method: 'HEAD' }).catch(() => undefined)) return { address, process: nginx };
}

/** Seconds from the command to its last event. */
async function fetchIt(fetcher: Fetcher, id: string, url: string): Promise<number> {
  const started = performance.now();
  fetcher.send(fetchCommand(id, { kind: 'web', url }));
  const last = await fetcher.last(id);
  if (last.type !== 'settled') throw new Error(JSON.stringify(last));
  return (performance.now() - started) / 1000;
}

async function aria2(url: string, folder: string): Promise<number> {
  const started = performance.now();
  const options = ['-q', '-x4', '-s4', '--file-allocation=none', '-d', folder];
  const [code] = await once(spawn('aria2c', [...options, url], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`aria2c ended with ${code}`);
  return (performance.now() - started) / 1000;
}

/**
 * Before each side, as much memory as the file needs is used and freed: a virtual machine may have to get it from its
 * host.
 */
async function warm(folder: string): Promise<void> {
  const scratch = join(folder, 'scratch-file');
  await makeFile(scratch, SIZE * 1.25);
  await rm(scratch);
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

const folder = await mkdtemp(join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'bowerbird-bench-'));
const nginx = await startNginx(folder);
const fetcher = await startFetcher({ storage: join(folder, 'storage'), scratch: join(folder, 'scratch') });
try {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await warm(folder);
    ours.push(await fetchIt(fetcher, `bench${round}`, nginx.address));
    await rm(join(folder, 'storage', 'kept', 'blob'), { recursive: true, force: true });
    await warm(folder);
    theirs.push(await aria2(nginx.address, join(folder, 'aria2')));
    await rm(join(folder, 'aria2'), { recursive: true });
  }
  const ratio = middle(theirs.map((seconds, at) => seconds / ours[at]!));
  console.log(
    `fetch of 1 GiB from nginx: ${ratio.toFixed(2)} of the speed of aria2c -x4 (${middle(ours).toFixed(2)} s hashed and flushed, against ${middle(theirs).toFixed(2)} s, ${ROUNDS} rounds)`,
  );
  if (process.env['BENCH_ROUNDS']) console.log({ ours, theirs });
} finally {
  await fetcher.close();
  nginx.process.kill('SIGQUIT');
  if (nginx.process.exitCode === null) await once(nginx.process, 'exit');
  await rm(folder, { recursive: true, force: true });
}
