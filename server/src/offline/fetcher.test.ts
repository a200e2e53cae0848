import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperProgram, openTestApp } from '../../testing/index.ts';
import { createLog } from '../foundation/index.ts';
import { createFetcher } from './fetcher.ts';

/** Process ids of this process's children whose command line contains `name`. */
function childrenOf(name: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const does = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return Number(isOurs) === process.pid && does.includes(name) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

test('a fetcher process that hangs is killed, and the crash is reported', async () => {
  await using app = await openTestApp();
  const { DATA_DIR: folder } = app.config;
  const fetcher = createFetcher({
    program: helperProgram,
    settings: {
      storage: join(folder, 'files'),
      scratch: join(folder, 'scratch'),
      allow: [],
      diskReserve: 0,
      rate: null,
      seed: { ratio: 0, minutes: 0 },
      aria2: null,
    },
    path: '',
    log: createLog('silent'),
    // Longer than a process takes to start on a busy machine, so that a slow start does not count as hung.
    silenceMs: 10_000,
  });
  const received: string[] = [];
  let crashes = 0;
  fetcher.subscribe({ onEvent: ({ type }) => void received.push(type), onCrash: () => (crashes += 1) });
  const inspect = (id: string) =>
    fetcher.send({
      type: 'inspect',
      id,
      spec: { kind: 'web', url: 'http://127.0.0.1:9/' },
      timeoutMs: 30_000,
    });
  try {
    inspect('first');
    await expect.poll(() => received, { timeout: 60_000 }).toEqual(['failed']);
    const [pid] = childrenOf('fetch');
    process.kill(pid!, 'SIGSTOP');
    inspect('second');
    await expect.poll(() => crashes, { timeout: 60_000 }).toBe(1);
    expect(childrenOf('fetch')).not.toContain(pid);
    inspect('third');
    await expect.poll(() => received, { timeout: 60_000 }).toEqual(['failed', 'failed']);
  } finally {
    await fetcher.close();
  }
});

test('a fetcher process that cannot be started drops its commands', async () => {
  const fetcher = createFetcher({
    program: '/nowhere/at-all.ts',
    settings: {} as never,
    path: '',
    log: createLog('silent'),
  });
  let crashes = 0;
  fetcher.subscribe({ onEvent: () => {}, onCrash: () => (crashes += 1) });
  fetcher.send({ type: 'stop', id: 'any' });
  await expect.poll(() => crashes, { timeout: 20_000 }).toBe(1);
  await fetcher.close();
});

/** Starts a part of the worker as the server does, and prints its process id. */
const PARENT = `
  const { fork } = require('node:child_process');
  const [program, part, env] = process.argv.slice(1);
  const child = fork(program, [part], { env: JSON.parse(env), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  console.log(child.pid);
`;

test.for(['fetch', 'thumbnails'])(
  'a process for %s exits if its parent is killed while the storage does not answer',
  { timeout: 180_000 },
  async (part) => {
    // Accepts connections and never answers.
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const storage = `s3://key:secret@127.0.0.1:${port}/bucket?tls=0&pathStyle=1`;
    const settings = { storage, scratch: '/nowhere', allow: ['127.0.0.0/8'], diskReserve: 0, rate: null };
    const env = { STORAGE: storage, FETCHER: JSON.stringify({ ...settings, aria2: null }) };
    const asked = once(silent, 'connection');
    const parent = spawn(process.execPath, ['-e', PARENT, helperProgram, part, JSON.stringify(env)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await asked;
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      parent.kill('SIGKILL');
      await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 10_000 }).toBe(false);
    } finally {
      parent.kill('SIGKILL');
      silent.close();
    }
  },
);

test.for(['fetch', 'thumbnails'])(
  'a process for %s that finds no storage at its start exits with one sentence, without a stack',
  async (part) => {
    const settings = {
      storage: '/nowhere/files',
      scratch: '/nowhere',
      allow: [],
      diskReserve: 0,
      rate: null,
    };
    const child = fork(helperProgram, [part], {
      env: { STORAGE: settings.storage, FETCHER: JSON.stringify({ ...settings, aria2: null }) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const said = child.stderr!.toArray();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([code, Buffer.concat((await said) as Buffer[]).toString()]).toEqual([
      1,
      'The storage is unavailable: there is no storage in /nowhere/files\n',
    ]);
  },
);

/** Inspects an unreachable address, closes the fetcher, and prints that it did. */
const CLOSING = `
  const { createFetcher } = await import(${JSON.stringify(join(import.meta.dirname, 'fetcher.ts'))});
  const [program, settings] = process.argv.slice(1);
  const log = { warn() {} };
  const fetcher = createFetcher({ program, settings: JSON.parse(settings), path: '', log });
  const alive = setInterval(() => {}, 1000);
  await new Promise((resolve) => {
    fetcher.subscribe({ onEvent: resolve, onCrash: resolve });
    fetcher.send({ type: 'inspect', id: 'one', spec: { kind: 'web', url: 'http://127.0.0.1:9/' }, timeoutMs: 9000 });
  });
  clearInterval(alive);
  await fetcher.close();
  console.log('closed');
`;

test('a server with nothing left but its fetcher process exits only after it, and in order', async () => {
  await using app = await openTestApp();
  const { DATA_DIR: folder } = app.config;
  const settings = {
    storage: join(folder, 'files'),
    scratch: join(folder, 'scratch'),
    allow: ['127.0.0.0/8'],
    diskReserve: 0,
    rate: null,
    seed: { ratio: 0, minutes: 0 },
    aria2: null,
  };
  const parent = spawn(
    process.execPath,
    ['--input-type=module', '-e', CLOSING, helperProgram, JSON.stringify(settings)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = parent.stdout.toArray();
  const [code] = (await once(parent, 'exit')) as [number | null];
  expect([code, Buffer.concat((await said) as Buffer[]).toString()]).toEqual([0, 'closed\n']);
});
