import { expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

function counter(everyMs: number, fails = false) {
  const written: [string, number][][] = [];
  const failures: unknown[] = [];
  const gathering = createGathering<number>({
    everyMs,
    async write(all) {
      if (fails) throw new Error('the disk is full');
      written.push([...all]);
    },
    failed: (error) => void failures.push(error),
  });
  const count = (key: string): void => gathering.set(key, (gathering.get(key) ?? 0) + 1);
  return { gathering, written, failures, count };
}

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
  const { gathering, failures, count } = counter(5, true);
  count('a');
  await expect.poll(() => failures).toHaveLength(1);
  count('b');
  await expect(gathering.flush()).rejects.toThrow('the disk is full');
});
