import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('a few work at once, the others in the order in which they came, also behind one that failed', async () => {
  const turns = createTurns({ atOnce: 2 });
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const work = (name: number) =>
    turns.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve, reject) =>
        ends.push(name === 1 ? () => reject(new Error('no')) : resolve),
      );
    });
  const all = [1, 2, 3, 4].map((name) => work(name).catch(() => undefined));
  await expect.poll(() => begun).toEqual([1, 2]);
  ends[0]!();
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  ends[1]!();
  await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
  ends[2]!();
  ends[3]!();
  await Promise.all(all);
  await turns.run(() => Promise.resolve());
});

test('whoever would wait behind too many is told so at once', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 1 });
  await turns.take();
  const next = turns.take();
  await expect(turns.take()).rejects.toMatchObject({ id: 'unavailable' });
  turns.give();
  await next;
});
