import { readdirSync, readFileSync } from 'node:fs';
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
