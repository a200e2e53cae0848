import { expect, test } from 'vitest';
import type { Renaming } from '@bowerbird/contract';
import { renameSlices } from './rename-order.ts';

/** Renames slice by slice, each as a whole, and throws if a name is taken. */
function carriedOut(renamings: readonly Renaming[], most: number): string[] {
  const names = new Map(renamings.map(({ id, from }) => [id, from]));
  for (const slice of renameSlices(renamings, most)) {
    for (const { id, to } of slice) names.set(id, to);
    if (new Set(names.values()).size < names.size) throw new Error('two items have the same name');
  }
  return [...names.values()];
}

const renamingsOf = (from: readonly string[], to: readonly string[]): Renaming[] =>
  from.map((name, at) => ({ id: `n${at}`, from: name, to: to[at]! }));

test('names that move up by one are given from the end, one at a time', () => {
  const from = ['1', '2', '3', '4'];
  const slices = renameSlices(renamingsOf(from, ['2', '3', '4', '5']), 1);
  expect(slices.map((slice) => slice.map(({ from: name }) => name))).toEqual([['4'], ['3'], ['2'], ['1']]);
});

test('items that exchange their names stay together, even beyond the size of a slice', () => {
  const slices = renameSlices(renamingsOf(['a', 'b', 'c', 'x'], ['b', 'c', 'a', 'y']), 2);
  expect(slices.map((slice) => slice.map(({ from }) => from).toSorted())).toEqual([['a', 'b', 'c'], ['x']]);
});

test('any permutation and any shift can be carried out in slices of any size, without a name taken twice', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const count = 1 + random(12);
    const pool = Array.from({ length: count + random(4) }, (_, at) => `name ${at}`);
    const shuffled = pool
      .map((name) => ({ name, place: random(1_000_000) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ name }) => name);
    const to = shuffled.slice(0, count);
    const from = pool.slice(0, count);
    expect(carriedOut(renamingsOf(from, to), 1 + random(4))).toEqual(to);
  }
});

test('10,000 names in one chain are ordered quickly', () => {
  const names = Array.from({ length: 10_001 }, (_, at) => `img ${at}.jpg`);
  const started = performance.now();
  const slices = renameSlices(renamingsOf(names.slice(0, -1), names.slice(1)), 1000);
  expect(slices).toHaveLength(10);
  expect(performance.now() - started).toBeLessThan(1000);
});
