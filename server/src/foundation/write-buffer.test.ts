import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './database/index.ts';
import { createWriteBuffer } from './write-buffer.ts';

function counter(everyMs: number, { failure, mostKeys }: { failure?: Error; mostKeys?: number } = {}) {
  const written: [string, number][][] = [];
  const failures: unknown[] = [];
  const state = { failure };
  const buffer = createWriteBuffer<number>({
    everyMs,
    sum: (one, other) => one + other,
    async write(all) {
      if (state.failure) throw state.failure;
      written.push([...all]);
    },
    failed: (error) => void failures.push(error),
    ...(mostKeys === undefined ? {} : { mostKeys }),
  });
  return { buffer, written, failures, state, count: (key: string) => buffer.add(key, 1) };
}

const away = new DatabaseUnavailable(new Error('connection refused'));

test('counts are written together after a delay, in the order of their keys', async () => {
  const { buffer, written, count } = counter(20);
  for (const key of ['b', 'a', 'b']) count(key);
  expect(buffer.size).toBe(2);
  await expect
    .poll(() => written)
    .toEqual([
      [
        ['a', 1],
        ['b', 2],
      ],
    ]);
  expect(buffer.size).toBe(0);
});

test('a flush writes each count once, and later counts are written later', async () => {
  const { buffer, written, count } = counter(60_000);
  count('a');
  const flushing = buffer.flush();
  count('a');
  await flushing;
  await buffer.flush();
  await buffer.flush();
  expect(written).toEqual([[['a', 1]], [['a', 1]]]);
});

test('a failing write is reported, and other writes continue', async () => {
  const { buffer, failures, count } = counter(5, { failure: new Error('the disk is full') });
  count('a');
  await expect.poll(() => failures).toHaveLength(1);
  count('b');
  await expect(buffer.flush()).rejects.toThrow('the disk is full');
});

test('counts not written because the database was down are written with later ones', async () => {
  const { buffer, written, failures, state, count } = counter(5, { failure: away });
  count('b');
  await expect.poll(() => failures.length).toBeGreaterThan(1);
  for (const key of ['a', 'b']) count(key);
  state.failure = undefined;
  await expect.poll(() => written.flat()).toContainEqual(['b', 2]);
  expect(written.flat()).toContainEqual(['a', 1]);
  expect(buffer.size).toBe(0);
});

test('the number of buffered keys is limited, however long the database is down', async () => {
  const { buffer, written, state, count } = counter(60_000, { failure: away, mostKeys: 2 });
  for (const key of ['a', 'b', 'c', 'a']) count(key);
  await expect(buffer.flush()).rejects.toThrow('unavailable');
  for (const key of ['d', 'b']) count(key);
  state.failure = undefined;
  await buffer.flush();
  expect(written).toEqual([
    [
      ['a', 2],
      ['b', 2],
    ],
  ]);
});

test('writes that the database rejects are not retried', async () => {
  const { buffer, written, state, count } = counter(60_000, { failure: new Error('no such column') });
  count('a');
  await expect(buffer.flush()).rejects.toThrow('no such column');
  state.failure = undefined;
  await buffer.flush();
  expect(written).toEqual([]);
});
