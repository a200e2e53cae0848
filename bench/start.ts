import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Time from the start of the server's process, and of the launcher (`npm start` without npm), until the server responds
// for the first time; the database exists, and V8's code cache is filled. For comparison, in alternation, an empty
// program of the same Node.

const ROUNDS = Number(process.argv[2]) || 7;
const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, LOG_LEVEL: 'silent' };

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function untilAnswered(script: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [script, 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  await (await fetch(`${/http:\/\/localhost:\d+/.exec(line)![0]}/healthz`)).text();
  const time = performance.now() - started;
  await end(child);
  return time;
}

async function empty(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { env, stdio: 'inherit' }), 'exit');
  return performance.now() - started;
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const server = join(root, '.cache', 'server', 'main.js');
const launcher = join(root, 'tools', 'run.mjs');
try {
  for (let warming = 0; warming < 2; warming++) await untilAnswered(server);
  const times: { server: number; launcher: number; empty: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push({
      server: await untilAnswered(server),
      launcher: await untilAnswered(launcher),
      empty: await empty(),
    });
  const [alone, launched, reference] = (['server', 'launcher', 'empty'] as const).map((name) =>
    middle(times.map((time) => time[name])),
  ) as [number, number, number];
  console.log(
    `start: server ${(alone / reference).toFixed(1)} times an empty program (${alone.toFixed(0)} ms against ${reference.toFixed(0)} ms), with the launcher ${(launched / reference).toFixed(1)} times (${launched.toFixed(0)} ms)`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
