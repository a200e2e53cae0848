import { expect, test } from 'vitest';
import { FILE, FOLDER, type NodeRow } from '../drive/index.ts';
import { walk } from './archive-walk.ts';

const node = (id: string, name: string, kind: 0 | 1 = FILE): NodeRow => ({
  id,
  account: 'A',
  parent: 'A',
  kind,
  name,
  name_fold: name,
  name_key: name,
  type_key: '',
  size: 1,
  file_count: 0,
  folder_count: 0,
  blob: kind === FILE ? 'hash' : null,
  created_at: 0,
  modified_at: 0,
  trashed_at: null,
  starred_at: null,
  origin: null,
  gcid: null,
  sha1: null,
  md5: null,
  quarantined_at: null,
});
async function* listed(...nodes: NodeRow[]): AsyncGenerator<NodeRow, void, undefined> {
  yield* nodes;
}
const paths = async (top: NodeRow[], tree: Record<string, NodeRow[]> = {}): Promise<string[]> =>
  Array.fromAsync(
    walk(listed(...top), ({ id }) => listed(...(tree[id] ?? []))),
    ({ path }) => path,
  );

test('folders come before their contents, empty folders included', async () => {
  const found = await paths([node('f', 'photos', FOLDER), node('x', 'x.txt')], {
    f: [node('e', 'empty', FOLDER), node('s', 'sea.jpg'), node('g', 'old', FOLDER)],
    g: [node('h', 'hut.jpg')],
  });
  expect(found).toEqual([
    'photos',
    'photos/empty',
    'photos/sea.jpg',
    'photos/old',
    'photos/old/hut.jpg',
    'x.txt',
  ]);
});

test('items of the same name from different folders are numbered, in whatever Unicode form', async () => {
  const found = await paths(
    [
      node('1', 'café.txt'),
      node('2', 'cafe\u0301.txt'),
      node('3', 'café.txt'),
      node('4', 'a', FOLDER),
      node('5', 'a', FOLDER),
    ],
    { 5: [node('6', 'b')] },
  );
  expect(found).toEqual(['café.txt', 'cafe\u0301(1).txt', 'café(2).txt', 'a', 'a(1)', 'a(1)/b']);
});

test('a tree of hundreds of levels is packed; entries too deep for a path are placed at the top', async () => {
  const long = 'x'.repeat(255);
  const tree = Object.fromEntries(
    Array.from({ length: 499 }, (_, level) => [String(level), [node(String(level + 1), long, FOLDER)]]),
  );
  const found = await paths([node('0', long, FOLDER)], tree);
  expect(found).toHaveLength(500);
  expect(Math.max(...found.map((path) => Buffer.byteLength(path)))).toBeLessThan(65_535);
  expect(new Set(found).size).toBe(500);
});

test('closing the reader ends every listing that is still open', async () => {
  const ended: string[] = [];
  async function* watched(name: string, ...nodes: NodeRow[]): AsyncGenerator<NodeRow, void, undefined> {
    try {
      yield* nodes;
    } finally {
      ended.push(name);
    }
  }
  const walking = walk(watched('top', node('f', 'f', FOLDER)), () =>
    watched('f', node('a', 'a'), node('b', 'b')),
  );
  await walking.next();
  await walking.next();
  await walking.return();
  expect(ended.toSorted()).toEqual(['f', 'top']);
});
