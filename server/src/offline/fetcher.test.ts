import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestApp } from '../../testing/index.ts';
import { createLog } from '../foundation/index.ts';
import { createFetcher } from './fetcher.ts';

const WORKER = join(import.meta.dirname, '../../../worker/src/main.ts');

/** Processes that this one started and that do the work of `name`. */
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

test('a fetching process that hangs is ended, and whoever waits for it is told', async () => {
  await using app = await openTestApp();
  const { DATA_DIR: folder } = app.config;
  const fetcher = createFetcher({
    program: WORKER,
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
    // Longer than a process takes to start on a busy machine: starting is not hanging.
    silenceMs: 10_000,
  });
  const heard: string[] = [];
  let losses = 0;
  fetcher.attend({ word: ({ word }) => void heard.push(word), lost: () => (losses += 1) });
  const inspect = (id: string) =>
    fetcher.send({
      order: 'inspect',
      id,
      spec: { kind: 'web', url: 'http://127.0.0.1:9/' },
      patienceMs: 30_000,
    });
  try {
    inspect('first');
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual(['failed']);
    const [pid] = childrenOf('fetch');
    process.kill(pid!, 'SIGSTOP');
    inspect('second');
    await expect.poll(() => losses, { timeout: 60_000 }).toBe(1);
    expect(childrenOf('fetch')).not.toContain(pid);
    inspect('third');
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual(['failed', 'failed']);
  } finally {
    await fetcher.close();
  }
});

test('a fetching process that can not be started loses its orders rather than keeping them', async () => {
  const fetcher = createFetcher({
    program: '/nowhere/at-all.ts',
    settings: {} as never,
    path: '',
    log: createLog('silent'),
  });
  let losses = 0;
  fetcher.attend({ word: () => {}, lost: () => (losses += 1) });
  fetcher.send({ order: 'stop', id: 'any' });
  await expect.poll(() => losses, { timeout: 20_000 }).toBe(1);
  await fetcher.close();
});

/** Starts a part of the worker as the server does, and says its process id. */
const PARENT = `
  const { fork } = require('node:child_process');
  const [program, part, env] = process.argv.slice(1);
  const child = fork(program, [part], { env: JSON.parse(env), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  console.log(child.pid);
`;

test.for(['fetch', 'thumbnails'])(
  'a process for %s whose parent is killed while the storage keeps it waiting ends as well',
  { timeout: 180_000 },
  async (part) => {
    // It takes connections and never says a word.
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const storage = `s3://key:secret@127.0.0.1:${port}/bucket?tls=0&pathStyle=1`;
    const settings = { storage, scratch: '/nowhere', allow: ['127.0.0.0/8'], diskReserve: 0, rate: null };
    const env = { STORAGE: storage, FETCHER: JSON.stringify({ ...settings, aria2: null }) };
    const asked = once(silent, 'connection');
    const parent = spawn(process.execPath, ['-e', PARENT, WORKER, part, JSON.stringify(env)], {
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
  'a process for %s that finds no storage at its start ends with one sentence, without a stack',
  async (part) => {
    const settings = {
      storage: '/nowhere/files',
      scratch: '/nowhere',
      allow: [],
      diskReserve: 0,
      rate: null,
    };
    const child = fork(WORKER, [part], {
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

/** Has something looked at that isn't there, closes the fetcher, and says so. */
const CLOSING = `
  const { createFetcher } = await import(${JSON.stringify(join(import.meta.dirname, 'fetcher.ts'))});
  const [program, settings] = process.argv.slice(1);
  const log = { warn() {} };
  const fetcher = createFetcher({ program, settings: JSON.parse(settings), path: '', log });
  const alive = setInterval(() => {}, 1000);
  await new Promise((resolve) => {
    fetcher.attend({ word: resolve, lost: resolve });
    fetcher.send({ order: 'inspect', id: 'one', spec: { kind: 'web', url: 'http://127.0.0.1:9/' }, patienceMs: 9000 });
  });
  clearInterval(alive);
  await fetcher.close();
  console.log('closed');
`;

test('a server that has nothing left but its fetching process ends only after that, and in order', async () => {
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
    ['--input-type=module', '-e', CLOSING, WORKER, JSON.stringify(settings)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = parent.stdout.toArray();
  const [code] = (await once(parent, 'exit')) as [number | null];
  expect([code, Buffer.concat((await said) as Buffer[]).toString()]).toEqual([0, 'closed\n']);
});
