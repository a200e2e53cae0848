import { expect, test } from 'vitest';
import { createSharedRuns } from './shared-runs.ts';

function counted() {
  const runs = createSharedRuns<number>();
  const ends: PromiseWithResolvers<number>[] = [];
  const run = (name: string) =>
    runs(name, () => {
      const end = Promise.withResolvers<number>();
      ends.push(end);
      return end.promise;
    });
  return { run, ends };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('callers during a run share the next one, because the running one began before them', async () => {
  const { run, ends } = counted();
  const first = run('a');
  const later = [run('a'), run('a')];
  expect(ends).toHaveLength(1);
  ends[0]!.resolve(1);
  expect(await first).toBe(1);
  await turn();
  expect(ends).toHaveLength(2);
  const last = run('a');
  ends[1]!.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
  await turn();
  ends[2]!.resolve(3);
  expect(await last).toBe(3);
});

test('runs of different names are independent, and a failed run does not fail the next one', async () => {
  const { run, ends } = counted();
  const failing = run('a');
  const next = run('a');
  const other = run('b');
  ends[1]!.resolve(7);
  expect(await other).toBe(7);
  ends[0]!.reject(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  await turn();
  ends[2]!.resolve(8);
  expect(await next).toBe(8);
});
