import type { File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { parseTree } from './tree-state.ts';
import { rowId, treeMove, treeRows, type Level } from './tree-rows.ts';

const folder = (id: string, count: number): File => ({ id, name: id, folder_count: count }) as File;
const level = (folders: File[], hasMore = false): Level => ({ folders, hasMore });

const LEVELS = new Map([
  ['', level([folder('a', 2), folder('b', 1), folder('c', 0)])],
  ['a', level([folder('a1', 1), folder('a2', 0)], true)],
  ['a1', level([folder('a11', 0)])],
]);
const rows = (...open: string[]) => treeRows(LEVELS, new Set(open));
const ids = (...open: string[]): string[] => rows(...open).map(rowId);

test('open folders show their subfolders, and closed ones hide what is open below them', () => {
  expect(ids()).toEqual(['a', 'b', 'c']);
  expect(ids('a')).toEqual(['a', 'a1', 'a2', 'more:a', 'b', 'c']);
  expect(ids('a', 'a1', 'c')).toEqual(['a', 'a1', 'a11', 'a2', 'more:a', 'b', 'c']);
  expect(ids('a1')).toEqual(['a', 'b', 'c']);
  // Not loaded yet.
  expect(ids('b')).toEqual(['a', 'b', 'c']);
  expect(rows('a', 'a1').map((row) => row.level)).toEqual([1, 2, 3, 2, 2, 1, 1]);
});

test.each([
  ['ArrowDown', 0, { to: 1 }],
  ['ArrowDown', 6, undefined],
  ['ArrowUp', 0, undefined],
  ['ArrowUp', 3, { to: 2 }],
  ['Home', 4, { to: 0 }],
  ['End', 0, { to: 6 }],
  ['ArrowRight', 0, { to: 1 }],
  ['ArrowRight', 2, undefined],
  ['ArrowRight', 5, { toggle: 'b' }],
  ['ArrowRight', 4, undefined],
  ['ArrowLeft', 0, { toggle: 'a' }],
  ['ArrowLeft', 2, { to: 1 }],
  ['ArrowLeft', 4, { to: 0 }],
  ['ArrowLeft', 5, undefined],
  ['A', 0, { to: 1 }],
  ['a', 3, { to: 0 }],
  ['x', 3, undefined],
  ['Tab', 3, undefined],
  [' ', 3, undefined],
] as const)('%s at row %i', (key, at, move) => {
  expect(treeMove(key, rows('a', 'a1'), at)).toEqual(move);
});

test('the state of the tree is read from whatever is stored', () => {
  expect(parseTree(JSON.stringify({ isShown: true, open: ['a', 3, '', 'b'] }))).toEqual({
    isShown: true,
    open: ['a', 'b'],
  });
  for (const text of [null, '', '[]', 'null', '{"open":{}}', '{'])
    expect(parseTree(text)).toEqual({ isShown: false, open: [] });
  expect(
    parseTree(JSON.stringify({ open: Array.from({ length: 99 }, (_, at) => `${at}`) })).open,
  ).toHaveLength(60);
});
