import { expect, test } from 'vitest';
import { tabFor } from './transfer-cache.ts';

test('several transfers are shown where one of them still runs', () => {
  expect(tabFor(['finished', 'finished', 'failed', 'running'])).toBe('running');
});

test('when all have ended they are shown where most of them are', () => {
  expect(tabFor(['finished', 'finished', 'failed'])).toBe('finished');
  expect(tabFor(['finished', 'failed'])).toBe('failed');
  expect(tabFor(['failed'])).toBe('failed');
});

test('without any the tab stays', () => {
  expect(tabFor([])).toBeUndefined();
});
