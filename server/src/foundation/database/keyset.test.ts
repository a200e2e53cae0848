import { expect, test } from 'vitest';
import { createKeys } from '../keys.ts';
import { createCursors, cutPage } from './keyset.ts';

const secret = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const cursors = createCursors(createKeys(secret(1)));

test('a token names the place that it was made for', () => {
  const place = ['Beta', 7, 'id'] as const;
  expect(cursors.place('files of ann', cursors.token('files of ann', place))).toEqual(place);
  expect(cursors.place('files of ann', '')).toBeUndefined();
  expect(cursors.place('files of ann', undefined)).toBeUndefined();
});

test.each([
  ['of another list', cursors.token('files of ben', ['Beta'])],
  ['of the same list in another order', cursors.token('files of ann, by size', ['Beta'])],
  ['of another installation', createCursors(createKeys(secret(2))).token('files of ann', ['Beta'])],
  ['that was modified', `${cursors.token('files of ann', ['Beta'])}x`],
  ['that is malformed', 'second page'],
])('a token %s is refused', (_, token) => {
  expect(() => cursors.place('files of ann', token)).toThrow(
    expect.objectContaining({ id: 'invalid_argument' }),
  );
});

test('a page ends at its size limit, and has a next place only if more rows follow', () => {
  const placeOf = (row: string) => [row];
  expect(cutPage(['a', 'b', 'c'], 2, placeOf)).toEqual({ page: ['a', 'b'], next: ['b'] });
  expect(cutPage(['a', 'b'], 2, placeOf)).toEqual({ page: ['a', 'b'], next: undefined });
  expect(cutPage([], 2, placeOf)).toEqual({ page: [], next: undefined });
});
