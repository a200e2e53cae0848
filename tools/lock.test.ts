import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bowerbird-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('two processes that want the same lock run one after the other', async () => {
  const file = join(folder, 'deep', 'lock');
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(20);
    events.push(`${name} ends`);
  };
  await Promise.all([withLock(file, work('one')), withLock(file, work('other'))]);
  const [first, second] = events[0] === 'one begins' ? ['one', 'other'] : ['other', 'one'];
  expect(events).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
});

test('a failure releases the lock', async () => {
  const file = join(folder, 'lock');
  await expect(withLock(file, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  expect(await withLock(file, () => Promise.resolve('mine'))).toBe('mine');
});

test('the lock of a killed process is taken over', async () => {
  const file = join(folder, 'lock');
  await writeFile(file, '');
  const minuteAgo = new Date(Date.now() - 60_000);
  await utimes(file, minuteAgo, minuteAgo);
  expect(await withLock(file, () => Promise.resolve('mine'))).toBe('mine');
});
