import { expect, test } from 'vitest';
import { mayReload } from './reload-guard.ts';

test('a page whose scripts are gone reloads once in ten seconds, not endlessly', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(
    [1_000_000, 1_000_500, 1_009_999, 1_010_001, 1_010_002].map((now) => mayReload(storage, now)),
  ).toEqual([true, false, false, true, false]);
});
