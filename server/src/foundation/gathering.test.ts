import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './database/index.ts';
import { createGathering } from './gathering.ts';

function counter(everyMs: number, { failure, mostKeys }: { failure?: Error; mostKeys?: number } = {}) {
  const written: [string, number][][] = [];
  const failures: unknown[] = [];
  const state = { failure };
  const gathering = createGathering<number>({
    everyMs,
    sum: (one, other) => one + other,
    async write(all) {
      if (state.failure) throw state.failure;
      written.push([...all]);
    },
    failed: (error) => void failures.push(error),
    ...(mostKeys === undefined ? {} : { mostKeys }),
  });
  return { gathering, written, failures, state, count: (key: string) => gathering.add(key, 1) };
}

const away = new DatabaseUnavailable(new Error('connection refused'));

test('counts are written together after a while, in the order of their keys', async () => {
  const { gathering, written, count } = counter(20);
  for (const key of ['b', 'a', 'b']) count(key);
  expect(gathering.size).toBe(2);
  await expect
    .poll(() => written)
    .toEqual([
      [
        ['a', 1],
        ['b', 2],
      ],
    ]);
  expect(gathering.size).toBe(0);
});

test('what is flushed is written once, and what comes meanwhile is written later', async () => {
  const { gathering, written, count } = counter(60_000);
  count('a');
  const flushing = gathering.flush();
  count('a');
  await flushing;
  await gathering.flush();
  await gathering.flush();
  expect(written).toEqual([[['a', 1]], [['a', 1]]]);
});

test('a writing that fails is told, and nothing else stops for it', async () => {
  const { gathering, failures, count } = counter(5, { failure: new Error('the disk is full') });
  count('a');
  await expect.poll(() => failures).toHaveLength(1);
  count('b');
  await expect(gathering.flush()).rejects.toThrow('the disk is full');
});

test('what could not be written because the database was away is written with what came meanwhile', async () => {
  const { gathering, written, failures, state, count } = counter(5, { failure: away });
  count('b');
  await expect.poll(() => failures.length).toBeGreaterThan(1);
  for (const key of ['a', 'b']) count(key);
  state.failure = undefined;
  await expect.poll(() => written.flat()).toContainEqual(['b', 2]);
  expect(written.flat()).toContainEqual(['a', 1]);
  expect(gathering.size).toBe(0);
});

test('however long the database is away, no more keys are kept than memory is for', async () => {
  const { gathering, written, state, count } = counter(60_000, { failure: away, mostKeys: 2 });
  for (const key of ['a', 'b', 'c', 'a']) count(key);
  await expect(gathering.flush()).rejects.toThrow('unavailable');
  for (const key of ['d', 'b']) count(key);
  state.failure = undefined;
  await gathering.flush();
  expect(written).toEqual([
    [
      ['a', 2],
      ['b', 2],
    ],
  ]);
});

test('what the database refuses is not tried again', async () => {
  const { gathering, written, state, count } = counter(60_000, { failure: new Error('no such column') });
  count('a');
  await expect(gathering.flush()).rejects.toThrow('no such column');
  state.failure = undefined;
  await gathering.flush();
  expect(written).toEqual([]);
});
