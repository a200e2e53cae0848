import { expect, test } from 'vitest';
import { tabAfter } from './tab-keys.ts';

test('arrows go from tab to tab, and round at either end', () => {
  expect([0, 1, 2].map((here) => tabAfter('ArrowRight', here, 3))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((here) => tabAfter('ArrowLeft', here, 3))).toEqual([2, 0, 1]);
});

test('Home goes to the first tab, End to the last one', () => {
  for (const here of [0, 1, 2]) {
    expect(tabAfter('Home', here, 3)).toBe(0);
    expect(tabAfter('End', here, 3)).toBe(2);
  }
});

test('other keys stay with the page', () => {
  for (const key of ['Tab', 'Enter', ' ', 'ArrowDown', 'a']) expect(tabAfter(key, 1, 3)).toBeUndefined();
});
