import { expect, test } from 'vitest';
import { cpuTimeOf } from '@bowerbird/contract/testing/cpu-time.ts';
import { createFileTree, type TreeFile, type TreeRow } from './file-tree.ts';

const file = (index: number, path: string, size = 10): TreeFile => {
  const slash = path.lastIndexOf('/');
  return {
    index,
    name: path.slice(slash + 1),
    path: path.slice(0, Math.max(0, slash)),
    size,
    isOwned: false,
  };
};

const FILES = [
  file(0, 'Season 1/E10.mkv', 100),
  file(1, 'Season 1/E2.mkv', 100),
  file(2, 'Season 1/Subs/E2.srt', 1),
  file(3, 'Extras/cover.jpg', 5),
  file(4, 'readme.txt', 2),
];

const shown = (rows: readonly TreeRow[]): string[] =>
  rows.map((row) => `${'  '.repeat(row.depth)}${row.kind === 'file' ? row.file.name : `${row.name}/`}`);

const treeOf = (files = FILES) => {
  const tree = createFileTree();
  tree.add(files);
  return tree;
};

test('a tree shows its open folders, folders first, in natural order', () => {
  const tree = treeOf();
  expect(shown(tree.rows(new Set(), ''))).toEqual(['Extras/', 'Season 1/', 'readme.txt']);
  expect(shown(tree.rows(new Set(['Season 1']), ''))).toEqual([
    'Extras/',
    'Season 1/',
    '  Subs/',
    '  E2.mkv',
    '  E10.mkv',
    'readme.txt',
  ]);
});

test('everything is selected at first, and then no indexes are sent', () => {
  const tree = treeOf();
  expect(tree.totals()).toEqual({ count: 5, bytes: 208, chosen: 5, chosenBytes: 208 });
  expect(tree.chosenIndexes()).toBeUndefined();
});

test('a folder selects everything below it, and is shown as partly selected', () => {
  const tree = treeOf();
  tree.chooseFolder('Season 1', false);
  expect(tree.chosenIndexes()).toEqual([3, 4]);
  tree.chooseFile(2, true);
  const folder = tree.rows(new Set(), '').find((row) => row.kind === 'folder' && row.name === 'Season 1');
  expect(folder).toMatchObject({ count: 3, chosen: 1, chosenBytes: 1 });
  expect(tree.totals().chosenBytes).toBe(8);
});

test('files are selected by kind, by size and by name', () => {
  const tree = treeOf();
  tree.chooseWhere((one) => one.size > 5);
  expect(tree.chosenIndexes()).toEqual([0, 1]);
  tree.chooseWhere((one) => one.name.endsWith('.srt'), true);
  expect(tree.chosenIndexes()).toEqual([0, 1, 2]);
  expect(tree.kinds().get('video')).toEqual({ count: 2, chosen: 2 });
  expect(tree.kinds().get('document')).toEqual({ count: 2, chosen: 1 });
  expect(shown(tree.rows(new Set(), 'E2'))).toEqual(['E2.mkv', 'E2.srt']);
});

test('files that arrive later are added to existing folders', () => {
  const tree = treeOf(FILES.slice(0, 2));
  tree.rows(new Set(['Season 1']), '');
  tree.add(FILES.slice(2));
  expect(shown(tree.rows(new Set(['Season 1']), ''))).toHaveLength(6);
  expect(tree.totals().count).toBe(5);
});

test('twenty thousand files are added, shown and selected in linear time', () => {
  const cpuFor = (count: number): number => {
    const many = Array.from({ length: count }, (_, n) =>
      file(n, `Folder ${n % 200}/Part ${n % 7}/file ${n}.mkv`),
    );
    return cpuTimeOf(() => {
      const tree = createFileTree();
      for (let from = 0; from < many.length; from += 1000) tree.add(many.slice(from, from + 1000));
      expect(tree.rows(new Set(['Folder 1']), '').length).toBe(200 + 7);
      tree.chooseFolder('Folder 7', false);
      tree.chooseWhere(() => false);
      tree.chooseFile(count - 1, true);
      expect(tree.chosenIndexes()).toEqual([count - 1]);
    });
  };
  // Ten times as many files; work that grows quadratically would take a hundred times as long.
  expect(cpuFor(20_000) / cpuFor(2000)).toBeLessThan(50);
});

test('files are requested by the torrent’s own numbers, even with gaps', () => {
  const tree = treeOf([file(2, 'a.mkv'), file(5, 'b.mkv'), file(9, 'c.mkv')]);
  tree.chooseFile(1, false);
  expect(tree.chosenIndexes()).toEqual([2, 9]);
});
