import { ApiFailure, LIMITS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { inPieces } from './in-pieces.ts';

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`);

/** Refuses batches with one of the bad items as the server does, and notes what was done. */
function server(bad: ReadonlySet<string>) {
  const done: string[] = [];
  let calls = 0;
  return {
    done,
    calls: () => calls,
    work: async (some: readonly string[]): Promise<void> => {
      calls += 1;
      if (some.length > LIMITS.batch) throw new ApiFailure('operating_file_count_exceeded');
      if (some.some((id) => bad.has(id))) throw new ApiFailure('file_not_found');
      done.push(...some);
    },
  };
}

test('everything but the items that are refused is done, once each', async () => {
  const bad = new Set(['n3', 'n1500', 'n2499']);
  const { work, done, calls } = server(bad);
  const ids = idsOf(2500);
  expect(new Map(await inPieces(ids, work))).toEqual(new Map([...bad].map((id) => [id, 'file_not_found'])));
  expect(done).toEqual(ids.filter((id) => !bad.has(id)));
  expect(calls()).toBeLessThan(80);
});

test('a single item that is refused is reported', async () => {
  const { work } = server(new Set(['n0']));
  expect([...(await inPieces(['n0'], work))]).toEqual([['n0', 'file_not_found']]);
});

test('if everything is refused, it gives up soon', async () => {
  const ids = idsOf(1000);
  const { work, calls } = server(new Set(ids));
  await expect(inPieces(ids, work)).rejects.toMatchObject({ id: 'file_not_found' });
  expect(calls()).toBeLessThan(60);
});

test('an error that is not about items ends the work', async () => {
  let calls = 0;
  const work = async (): Promise<void> => {
    calls += 1;
    throw new ApiFailure('file_space_not_enough');
  };
  await expect(inPieces(idsOf(10), work)).rejects.toMatchObject({ id: 'file_space_not_enough' });
  expect(calls).toBe(1);
});
