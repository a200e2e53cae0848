import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore } from '../storage/src/index.ts';

// Speed of reading back 1 GiB that was kept from 128 parts, from a disk whose pages are cached.

const mebibyte = 1024 * 1024;
const partSize = 8 * mebibyte;
const parts = 128;
const rounds = 5;

const folder = await mkdtemp(join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'bench-storage-'));
const store = await openBlobStore(folder);
try {
  const body = randomBytes(partSize);
  const staging = await store.stage('bench');
  for (let number = 1; number <= parts; number++) await staging.writePart(number, flow(body));
  const before = performance.now();
  await staging.keep('blob/bench', await staging.parts());
  const keeping = performance.now() - before;

  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let read = 0;
    for await (const chunk of (await store.open('blob/bench')).stream) read += (chunk as Buffer).length;
    rates.push(read / mebibyte / ((performance.now() - start) / 1000));
  }
  const median = rates.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!;
  console.log(
    `storage-read: ${median.toFixed(0)} MiB/s over ${parts} parts, kept in ${keeping.toFixed(0)} ms`,
  );
} finally {
  await store.close();
  await rm(folder, { recursive: true });
}

async function* flow(...chunks: Uint8Array[]) {
  yield* chunks;
}
