import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installation, middle } from './support/product.ts';

// Time from the start of npm, and of the launcher that npm starts, until the server is ready; the database exists, and
// V8's code cache is filled. For comparison, in alternation, an empty program of the same Node.

const ROUNDS = Number(process.argv[2]) || 7;
const WARMING = 2;
const launcher = join(import.meta.dirname, '..', 'tools', 'run.mjs');
await using place = await installation();

async function untilReady(program: string, args: readonly string[]): Promise<number> {
  const started = performance.now();
  const product = await place.start(program, args);
  const time = performance.now() - started;
  await product.stop();
  return time;
}

async function empty(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { env: place.env, stdio: 'inherit' }), 'exit');
  return performance.now() - started;
}

const times: { npm: number; launcher: number; empty: number }[] = [];
for (let round = 0; round < WARMING + ROUNDS; round++)
  times.push({
    npm: await untilReady('npm', ['start']),
    launcher: await untilReady(process.execPath, [launcher, 'serve']),
    empty: await empty(),
  });
const [npm, launched, reference] = (['npm', 'launcher', 'empty'] as const).map((name) =>
  middle(times.slice(WARMING).map((time) => time[name])),
) as [number, number, number];
console.log(
  `start: ${(npm / reference).toFixed(1)} times an empty program with npm (${npm.toFixed(0)} ms against ${reference.toFixed(0)} ms), ${(launched / reference).toFixed(1)} times without (${launched.toFixed(0)} ms)`,
);
