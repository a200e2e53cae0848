import { expect, test } from 'vitest';
import { moved } from './move-column.ts';

test('a column moves by one place, and not beyond the ends', () => {
  expect(moved(['modified', 'size', 'type'], 'type', -1)).toEqual(['modified', 'type', 'size']);
  expect(moved(['modified', 'size'], 'modified', -1)).toEqual(['modified', 'size']);
  expect(moved(['modified', 'size'], 'size', 1)).toEqual(['modified', 'size']);
  expect(moved(['modified'], 'size', 1)).toEqual(['modified']);
});
