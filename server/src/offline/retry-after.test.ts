import { expect, test } from 'vitest';
import { retryAfter } from './offline.ts';

test('a failing source is retried after 5 seconds, 30 seconds, 2 minutes and 10 minutes, then no more', () => {
  const failure = { error: 'source_unreachable', final: false } as const;
  expect([1, 2, 3, 4, 5].map((attempts) => retryAfter(attempts, failure))).toEqual([
    5_000,
    30_000,
    120_000,
    600_000,
    undefined,
  ]);
  expect(retryAfter(1, { ...failure, final: true })).toBeUndefined();
});

test.each(['disk_full', 'unavailable'] as const)(
  'a task is retried every ten seconds while our own storage fails with %s, however often it failed',
  (error) => {
    for (const attempts of [1, 4, 5, 100]) expect(retryAfter(attempts, { error, final: false })).toBe(10_000);
    expect(retryAfter(1, { error, final: true })).toBeUndefined();
  },
);
