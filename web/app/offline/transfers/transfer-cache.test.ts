import { expect, test } from 'vitest';
import { tabFor } from './transfer-cache.ts';

test('several downloads open the running tab if one of them is running', () => {
  expect(tabFor(['finished', 'finished', 'failed', 'running'])).toBe('running');
});

test('several ended downloads open the tab that has most of them', () => {
  expect(tabFor(['finished', 'finished', 'failed'])).toBe('finished');
  expect(tabFor(['finished', 'failed'])).toBe('failed');
  expect(tabFor(['failed'])).toBe('failed');
});

test('no downloads leave the tab unchanged', () => {
  expect(tabFor([])).toBeUndefined();
});
