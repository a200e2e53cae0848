import { expect, test } from 'vitest';
import { FILE, FOLDER, type ListOrder, type NodeRow } from '../drive/index.ts';
import { pageOfRoots } from './share-roots.ts';

const node = (id: string, kind: 0 | 1, key: string, size: number): NodeRow => ({
  id,
  account: 'A',
  parent: 'A',
  kind,
  name: key,
  name_fold: key,
  name_key: key,
  type_key: key.slice(-1),
  size,
  file_count: 0,
  folder_count: 0,
  blob: null,
  created_at: 0,
  modified_at: size,
  trashed_at: null,
  starred_at: null,
  origin: null,
  gcid: null,
  sha1: null,
  md5: null,
  quarantined_at: null,
});
const roots = [
  node('1', FILE, 'b', 3),
  node('2', FOLDER, 'c', 1),
  node('3', FILE, '\uffef', 2),
  node('4', FILE, '🐦', 2),
  node('5', FOLDER, 'a', 0),
  node('6', FILE, 'b', 3),
];
const byName: ListOrder = { key: 'name', descending: false, foldersFirst: true };
const ids = (order: ListOrder): string =>
  pageOfRoots(roots, order, { limit: 100, place: undefined })
    .rows.map(({ id }) => id)
    .join('');

test('roots are sorted like a folder: folders first in both directions, text by its bytes', () => {
  expect(ids(byName)).toBe('521634');
  expect(ids({ ...byName, descending: true })).toBe('254361');
  expect(ids({ ...byName, foldersFirst: false })).toBe('516234');
  expect(ids({ key: 'size', descending: true, foldersFirst: true })).toBe('256143');
});

test('pages have no gaps or duplicates, even while roots are removed', () => {
  const first = pageOfRoots(roots, byName, { limit: 2, place: undefined });
  expect(first.rows.map(({ id }) => id)).toEqual(['5', '2']);
  const left = roots.filter(({ id }) => id !== '2');
  const second = pageOfRoots(left, byName, { limit: 2, place: first.next });
  const third = pageOfRoots(left, byName, { limit: 2, place: second.next });
  expect([...second.rows, ...third.rows].map(({ id }) => id)).toEqual(['1', '6', '3', '4']);
  expect(third.next).toBeUndefined();
});
