import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('a few tasks run at once, the others in their order, also after a failed one', async () => {
  const semaphore = createSemaphore({ atOnce: 2 });
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const work = (name: number) =>
    semaphore.run(async () => {
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
  await semaphore.run(() => Promise.resolve());
});

test('a caller beyond the queue limit is rejected at once', async () => {
  const semaphore = createSemaphore({ atOnce: 1, mostWaiting: 1 });
  await semaphore.acquire();
  const next = semaphore.acquire();
  await expect(semaphore.acquire()).rejects.toMatchObject({ id: 'unavailable' });
  semaphore.release();
  await next;
});
