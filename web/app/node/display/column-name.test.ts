import { expect, test } from 'vitest';
import { isDefault, moved, readColumns } from './column-name.ts';

test('unknown and repeated columns of a stored choice are left out', () => {
  expect(readColumns(['size', 'price', 'size', 7, 'type'])).toEqual(['size', 'type']);
  expect(readColumns([])).toEqual([]);
  expect(isDefault(readColumns('size'))).toBe(true);
});

test('a column moves by one place, and not beyond the ends', () => {
  expect(moved(['modified', 'size', 'type'], 'type', -1)).toEqual(['modified', 'type', 'size']);
  expect(moved(['modified', 'size'], 'modified', -1)).toEqual(['modified', 'size']);
  expect(moved(['modified', 'size'], 'size', 1)).toEqual(['modified', 'size']);
  expect(moved(['modified'], 'size', 1)).toEqual(['modified']);
});
