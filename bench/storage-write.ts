import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore } from '../storage/src/index.ts';

// Speed of hashing a part of 1 GiB (SHA-1 and SHA-256) and making it durable on disk, compared with `tee | sha1sum`,
// which hashes once and flushes nothing. Both get the same bytes, in alternation; the goal is a ratio of at least 0.8.

const mebibyte = 1024 * 1024;
const size = 1024 * mebibyte;
const rounds = 3;

const folder = await mkdtemp(join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'bench-storage-'));
const pool = Array.from({ length: 64 }, () => randomBytes(65_536));
const store = await openBlobStore(join(folder, 'store'));
const ours: number[] = [];
const theirs: number[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    ours.push(await rate(writeToStore));
    theirs.push(await rate(teeIntoSha1sum));
  }
} finally {
  await store.close();
  await rm(folder, { recursive: true });
}
const [own, reference] = [median(ours), median(theirs)];
console.log(
  `storage-write: ${own.toFixed(0)} MiB/s hashed and durable, ` +
    `${reference.toFixed(0)} MiB/s by tee | sha1sum, ratio ${(own / reference).toFixed(2)}`,
);

function* bytes() {
  for (let sent = 0, next = 0; sent < size; sent += 65_536, next = (next + 1) % pool.length)
    yield pool[next]!;
}

async function* flow() {
  yield* bytes();
}

async function writeToStore(): Promise<void> {
  const hashes = [createHash('sha1'), createHash('sha256')];
  const staging = await store.stage('bench');
  const tap = (chunk: Uint8Array) => {
    for (const hash of hashes) hash.update(chunk);
  };
  await staging.writePart(1, flow(), { size, tap });
  await store.discard('bench');
}

async function teeIntoSha1sum(): Promise<void> {
  const file = join(folder, 'tee');
  const shell = spawn('sh', ['-c', `tee "${file}" | sha1sum`], { stdio: ['pipe', 'ignore', 'inherit'] });
  const done = once(shell, 'close');
  for (const chunk of bytes()) if (!shell.stdin.write(chunk)) await once(shell.stdin, 'drain');
  shell.stdin.end();
  await done;
  await rm(file);
}

async function rate(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return size / mebibyte / ((performance.now() - start) / 1000);
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
