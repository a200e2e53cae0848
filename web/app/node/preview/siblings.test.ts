import { expect, it } from 'vitest';
import type { Entries } from '../entries/entries.ts';
import { mayTurn, neighbour, placeAmongFiles } from './siblings.ts';

const ROWS = ['folder', 'a', 'b', 'folder', 'c'].map((name, row) => ({
  id: `${name}${row}`,
  kind: name === 'folder' ? 'drive#folder' : 'drive#file',
  size: '1',
}));

/** Five entries of which only the first `loaded` are loaded. */
function listing(loaded: number): Entries {
  const slice = (most: number) => (range: { from: number; to: number }) =>
    ROWS.slice(range.from, Math.min(range.to, most));
  const partial: Partial<Entries> = {
    count: ROWS.length,
    total: ROWS.length,
    indexOf: (id) => {
      const row = ROWS.findIndex((entry) => entry.id === id);
      return row < 0 ? undefined : row;
    },
    known: slice(loaded),
    between: (range) => Promise.resolve(slice(ROWS.length)(range)),
  };
  return partial as Entries;
}

it('counts files and skips folders', async () => {
  const entries = listing(5);
  expect(placeAmongFiles(entries, 'b2')).toEqual({ position: 2, total: 3 });
  expect(await neighbour(entries, 'b2', 1)).toBe('c4');
  expect(await neighbour(entries, 'c4', -1)).toBe('b2');
  expect(await neighbour(entries, 'a1', -1)).toBeUndefined();
  expect(await neighbour(entries, 'c4', 1)).toBeUndefined();
});

it('continues into pages that are not loaded yet', async () => {
  expect(await neighbour(listing(3), 'b2', 1)).toBe('c4');
  expect(mayTurn(listing(3), 'b2', 1)).toBe(true);
});

it('stops before the first file of a folder of unknown length, and may continue after the last loaded file', () => {
  const uncounted = { ...listing(5), total: undefined } as Entries;
  expect(mayTurn(uncounted, 'a1', -1)).toBe(false);
  expect(mayTurn(uncounted, 'b2', -1)).toBe(true);
  expect(mayTurn(uncounted, 'c4', 1)).toBe(true);
});

it('reports that there is no further file', () => {
  expect(mayTurn(listing(5), 'c4', 1)).toBe(false);
  expect(mayTurn(listing(5), 'a1', -1)).toBe(false);
  expect(mayTurn(listing(5), 'b2', -1)).toBe(true);
  expect(placeAmongFiles(listing(5), 'elsewhere')).toBeUndefined();
});
