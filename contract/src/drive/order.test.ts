import { expect, test } from 'vitest';
import { DEFAULT_ORDER, orderName, parseOrder } from './order.ts';

test.each([
  ['1', 'name', false],
  ['2', 'type', false],
  ['3', 'type', true],
  ['4', 'name', true],
  ['5', 'modified', false],
  ['6', 'modified', true],
  ['7', 'size', false],
  ['8', 'size', true],
  ['NAME_ASC', 'name', false],
  ['NAME_DESC', 'name', true],
  ['type_asc', 'type', false],
  ['type_desc', 'type', true],
  ['mod_asc', 'modified', false],
  ['MOD_DESC', 'modified', true],
  ['size_asc', 'size', false],
  ['size_desc', 'size', true],
] as const)('%s sorts by %s', (text, key, descending) => {
  expect(parseOrder(text)).toEqual({ key, descending });
});

test.each(['', '0', '9', 'name', 'toString', '__proto__', null, undefined])('%j is rejected', (text) => {
  expect(parseOrder(text)).toBeUndefined();
});

test('an order is written as its name, and the default is the most recently modified first', () => {
  expect(orderName({ key: 'modified', descending: true })).toBe('mod_desc');
  expect(orderName({ key: 'size', descending: false })).toBe('size_asc');
  expect(DEFAULT_ORDER).toEqual({ key: 'modified', descending: true });
});
