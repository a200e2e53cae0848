import type { File } from '@bowerbird/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bookOf,
  changed,
  type EntryBook,
  type EntryPage,
  fileAt,
  indexOf,
  isComplete,
  missingToken,
  parentOf,
  rowCount,
  rowsIn,
  totalOf,
  withPage,
} from './entry-book.ts';
import { createPageLoader, refreshed } from './page-loader.ts';

const file = (n: number): File =>
  ({
    id: `f${n}`,
    kind: 'drive#file',
    size: String(n),
    name: `file ${n}`,
    parent_id: `folder ${n % 7}`,
  }) as Partial<File> as File;

/** Simulates a folder with a keyset listing: a token is the id after which a page starts. */
function folderOf(count: number, limit: number, counted = true) {
  const state = { files: Array.from({ length: count }, (_, n) => file(n)), requests: 0 };
  const load = (token: string): Promise<EntryPage> => {
    state.requests += 1;
    const after = token === '' ? -1 : Number(token.slice(1));
    const rest = state.files.filter(({ id }) => Number(id.slice(1)) > after);
    const files = rest.slice(0, limit);
    return Promise.resolve({
      files,
      next_page_token: rest.length > limit ? files.at(-1)!.id : '',
      ...(counted ? { total: String(state.files.length) } : {}),
    });
  };
  return { state, load };
}

function shelf(load: (token: string) => Promise<EntryPage>) {
  const kept: { book: EntryBook | undefined } = { book: undefined };
  let settled = (): void => undefined;
  const loader = createPageLoader({
    load,
    read: () => kept.book,
    write: (book) => {
      kept.book = book;
    },
    settled: () => settled(),
  });
  return {
    kept,
    loader,
    wanted: (from: number, to: number) =>
      new Promise<void>((resolve) => {
        settled = resolve;
        loader.want({ from, to });
        if (missingToken(kept.book!, { from, to }) === undefined) resolve();
      }),
  };
}

describe('a paged listing', () => {
  it('shows exactly the folder’s rows at every position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.nat({ max: 900 }), { maxLength: 6 }),
        async (count, limit, looks) => {
          const folder = folderOf(count, limit);
          const { kept, wanted } = shelf(folder.load);
          kept.book = bookOf(await folder.load(''));
          for (const from of looks) {
            await wanted(from, from + 30);
            for (let at = from; at < Math.min(from + 30, count); at++) {
              expect(fileAt(kept.book, at)?.id).toBe(`f${at}`);
            }
          }
          expect(rowCount(kept.book)).toBe(count);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drops distant pages and reloads them by their token', async () => {
    const folder = folderOf(20_000, 1000);
    const { kept, wanted } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    await wanted(19_900, 19_950);
    expect(fileAt(kept.book, 5500)).toBeUndefined();
    expect(fileAt(kept.book, 10)?.id).toBe('f10');
    expect(indexOf(kept.book, 'f5500')).toBe(5500);
    expect(rowsIn(kept.book, { from: 5500, to: 5502 })).toEqual([
      { id: 'f5500', kind: 'drive#file', size: '5500', parent_id: 'folder 5' },
      { id: 'f5501', kind: 'drive#file', size: '5501', parent_id: 'folder 6' },
    ]);
    expect(parentOf(kept.book, 'f5500')).toBe('folder 5');
    expect(parentOf(kept.book, 'f999999')).toBeUndefined();
    const before = folder.state.requests;
    await wanted(5500, 5520);
    expect(folder.state.requests - before).toBe(1);
    expect(fileAt(kept.book, 5500)?.name).toBe('file 5500');
  });

  it('never shows an entry twice after an earlier page has changed', async () => {
    const folder = folderOf(50, 10);
    const { kept, wanted } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    await wanted(0, 50);
    folder.state.files = folder.state.files.filter(({ id }) => id !== 'f3' && id !== 'f12');
    kept.book = withPage(kept.book, '', await folder.load(''));
    await wanted(0, 48);
    const ids = rowsIn(kept.book, { from: 0, to: 100 }).map(({ id }) => id);
    expect(ids).toEqual(folder.state.files.map(({ id }) => id));
    expect(isComplete(kept.book)).toBe(true);
  });

  it('shows no entry twice when a removed entry is restored', async () => {
    const folder = folderOf(30, 10);
    const { kept, wanted } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    await wanted(0, 30);
    kept.book = changed(kept.book, (entry) => (entry.id === 'f3' ? undefined : entry));
    // The removal is undone: the page is loaded again, ends at the same entry and has one more row.
    kept.book = withPage(kept.book, '', await folder.load(''));
    await wanted(0, 30);
    const rows = Array.from({ length: 30 }, (_, at) => fileAt(kept.book!, at)?.id);
    expect(rows).toEqual(folder.state.files.map(({ id }) => id));
  });

  it('continues with placeholders if the total is unknown', async () => {
    const folder = folderOf(25, 10, false);
    const { kept, wanted } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    expect(totalOf(kept.book)).toBeUndefined();
    expect(rowCount(kept.book)).toBeGreaterThan(10);
    await wanted(0, 100);
    expect(totalOf(kept.book)).toBe(25);
  });

  it('removes entries and closes the gap', () => {
    const book = bookOf({ files: [file(0), file(1), file(2)], next_page_token: 'f2', total: '9' });
    const next = changed(book, (entry) =>
      entry.id === 'f1' ? undefined : entry.id === 'f2' ? { ...entry, name: 'renamed' } : entry,
    );
    expect(totalOf(next)).toBe(8);
    expect(fileAt(next, 1)?.name).toBe('renamed');
    expect(missingToken(next, { from: 0, to: 3 })).toBe('f2');
  });

  it('reports an error and continues when asked again', async () => {
    const folder = folderOf(30, 10);
    let broken = true;
    const { kept, loader, wanted } = shelf((token) =>
      broken && token === 'f9' ? Promise.reject(new Error('offline')) : folder.load(token),
    );
    kept.book = bookOf(await folder.load(''));
    await wanted(0, 30);
    expect(loader.failure()).toEqual(new Error('offline'));
    broken = false;
    await wanted(0, 30);
    expect(loader.failure()).toBeUndefined();
    expect(fileAt(kept.book, 29)?.id).toBe('f29');
  });
});

describe('refreshing', () => {
  const { signal } = new AbortController();

  it('reloads up to the visible rows', async () => {
    const folder = folderOf(100, 10);
    const book = await refreshed(undefined, { from: 0, to: 35 }, folder.load, signal);
    expect(folder.state.requests).toBe(4);
    expect(fileAt(book, 34)?.id).toBe('f34');
  });

  it('takes one request far down a long folder', async () => {
    const folder = folderOf(20_000, 1000);
    const { kept, wanted } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    await wanted(15_000, 15_050);
    folder.state.files = folder.state.files.filter(({ id }) => id !== 'f15001');
    const before = folder.state.requests;
    const book = await refreshed(kept.book, { from: 15_000, to: 15_050 }, folder.load, signal);
    expect(folder.state.requests - before).toBe(1);
    expect(fileAt(book, 15_001)?.id).toBe('f15002');
    expect(totalOf(book)).toBe(19_999);
  });
});

describe('loading everything', () => {
  it('reaches the end of a folder, however few pages are kept', async () => {
    const folder = folderOf(12_000, 1000);
    const { kept, loader } = shelf(folder.load);
    kept.book = bookOf(await folder.load(''));
    await loader.reach({ from: 0, to: Number.POSITIVE_INFINITY });
    expect(isComplete(kept.book)).toBe(true);
    expect(rowsIn(kept.book, { from: 0, to: Number.POSITIVE_INFINITY })).toHaveLength(12_000);
  });
});
