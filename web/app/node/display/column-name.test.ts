import { expect, test } from 'vitest';
import { isDefault, readColumns } from './column-name.ts';

test('unknown and repeated columns of a stored choice are left out', () => {
  expect(readColumns(['size', 'price', 'size', 7, 'type'])).toEqual(['size', 'type']);
  expect(readColumns([])).toEqual([]);
  expect(isDefault(readColumns('size'))).toBe(true);
});
