import { expect, test } from 'vitest';
import { clickBurst } from './click-burst.ts';

const heard = (times: readonly number[]): boolean[] => times.map(clickBurst(5, 200));

test('five clicks with at most a fifth of a second between them are a burst', () => {
  expect(heard([0, 200, 400, 600, 800])).toEqual([false, false, false, false, true]);
});

test('four clicks are no burst, and a pause restarts the count', () => {
  expect(heard([0, 100, 200, 300])).not.toContain(true);
  expect(heard([0, 100, 200, 401, 500, 600, 700])).not.toContain(true);
  expect(heard([0, 100, 301.1, 400, 500, 600, 700]).at(-1)).toBe(true);
});

test('a burst is reported once, not with each further click', () => {
  expect(heard([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).filter(Boolean)).toHaveLength(2);
});
