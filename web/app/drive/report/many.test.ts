import { ApiFailure } from '@bowerbird/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { createMany } from './many.ts';
import { reports, type Report } from './reports.ts';

afterEach(() => vi.restoreAllMocks());

test('undo after trying again takes back only what that try did', async () => {
  let shown: Report | undefined;
  vi.spyOn(reports, 'show').mockImplementation((report) => {
    shown = report;
  });
  const undos: ((() => Promise<void>) | undefined)[] = [];
  const { many } = createMany({
    call: () => Promise.reject(new Error('no calls')),
    doingAll: async (_count, work) => void undos.push((await work())?.undo),
    namesOf: () => new Map(),
  });
  const missing = new Set(['b']);
  const undone: string[][] = [];
  await many('copy', ['a', 'b'], () => {
    const made: string[] = [];
    return {
      async work(some) {
        if (some.some((id) => missing.has(id))) throw new ApiFailure('file_not_found');
        made.push(...some.map((id) => `copy of ${id}`));
      },
      text: String,
      undo: async () => void undone.push(made),
    };
  });
  missing.clear();
  shown!.retry!();
  await vi.waitFor(() => expect(undos).toHaveLength(2));
  await undos[1]!();
  expect(undone).toEqual([['copy of b']]);
});
