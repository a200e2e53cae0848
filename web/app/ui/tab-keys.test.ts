import { expect, test } from 'vitest';
import { tabAfter } from './tab-keys.ts';

test('arrow keys move between tabs and wrap around', () => {
  expect([0, 1, 2].map((here) => tabAfter('ArrowRight', here, 3))).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((here) => tabAfter('ArrowLeft', here, 3))).toEqual([2, 0, 1]);
});

test('Home moves to the first tab, End to the last one', () => {
  for (const here of [0, 1, 2]) {
    expect(tabAfter('Home', here, 3)).toBe(0);
    expect(tabAfter('End', here, 3)).toBe(2);
  }
});

test('other keys are left to the page', () => {
  for (const key of ['Tab', 'Enter', ' ', 'ArrowDown', 'a']) expect(tabAfter(key, 1, 3)).toBeUndefined();
});
