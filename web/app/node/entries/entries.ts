import { useEffect, useMemo, useReducer, useRef } from 'react';
import type { File } from '@bowerbird/contract';
import { hashKey, type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  bookOf,
  changed,
  type EntryBook,
  type EntryPage,
  fileAt,
  indexOf,
  isComplete,
  parentOf,
  reachedRows,
  rowCount,
  rowsIn,
  type RowRange,
  totalOf,
} from './entry-book.ts';
import { createPageLoader, type LoadPage, type PageLoader, refreshed } from './page-loader.ts';
import { amountIn, isSelected, namedIds, type Amount, type Selectable, type Selection } from './selection.ts';

export interface EntriesSource {
  /** react-query key: folder, filters, everything that identifies the listing; the order comes last. */
  readonly key: QueryKey;
  readonly load: LoadPage;
  /** First page, if the server rendered with it. */
  readonly initial?: EntryPage | undefined;
}

/** Entries of a folder; only the visible ranges have to be loaded. */
export interface Entries {
  /** Number of rows to lay out. */
  readonly count: number;
  /** Number of entries in the whole folder; `undefined` while unknown. */
  readonly total: number | undefined;
  /** Total size of the folder, once every row has been loaded. */
  readonly amount: Amount | undefined;
  readonly fileAt: (index: number) => File | undefined;
  readonly fileOf: (id: string) => File | undefined;
  readonly indexOf: (id: string) => number | undefined;
  /** Returns the folder of an entry, even if only its row is still known. */
  readonly parentOf: (id: string) => string | undefined;
  /** Reports the visible rows, so that their pages are loaded. */
  readonly want: (range: RowRange) => void;
  /** Returns the rows of a range as far as pages were loaded. */
  readonly known: (range: RowRange) => readonly Selectable[];
  /** Returns the rows of a range and loads the missing ones. */
  readonly between: (range: RowRange) => Promise<readonly Selectable[]>;
  /** Finds the row of an entry, loading page after page through at most `within` rows. */
  readonly locate: (id: string, within?: number) => Promise<number | undefined>;
  /** Returns the ids in a selection; "all but" loads the whole folder. */
  readonly idsOf: (selection: Selection) => Promise<readonly string[]>;
  /** True until the first page is loaded. */
  readonly isLoading: boolean;
  /** True while old rows are shown and newer ones are loading. */
  readonly isRefreshing: boolean;
  /** Error of the first or a later page. */
  readonly failure: unknown;
  readonly retry: () => void;
  readonly refresh: () => Promise<void>;
  /** Changes loaded entries at once (optimistic edits); `undefined` removes an entry from the folder. */
  readonly change: (change: (file: File) => File | undefined) => void;
}

const NOWHERE: RowRange = { from: 0, to: 0 };
const WHOLE: RowRange = { from: 0, to: Number.POSITIVE_INFINITY };
const LOCATED_WITHIN = 20_000;
const EMPTY: EntryBook = { pages: [{ token: '', next: '', start: 0, rows: [], files: [] }], total: 0 };

/** Query of a listing; for loaders that fill the cache before a page is shown. */
export function entriesQuery(source: EntriesSource, seen: () => RowRange = () => NOWHERE) {
  return queryOptions({
    queryKey: source.key,
    queryFn: ({ client, signal }) =>
      refreshed(client.getQueryData<EntryBook>(source.key), seen(), source.load, signal),
    ...(source.initial ? { initialData: bookOf(source.initial) } : {}),
    structuralSharing: false,
  });
}

/** Changes a loaded listing wherever it is shown, by its key. */
export { changed as changeEntries } from './entry-book.ts';

export function useEntries(source: EntriesSource): Entries {
  const client = useQueryClient();
  const seen = useRef(NOWHERE);
  const [, settle] = useReducer((turn: number) => turn + 1, 0);
  const latest = useRef(source);
  const loader = useRef<PageLoader>(undefined);
  const hash = hashKey(source.key);
  const query = useQuery({
    ...entriesQuery(source, () => seen.current),
    // On a change of order the old rows stay until the new ones are loaded.
    placeholderData: (shown: EntryBook | undefined, before: { readonly queryKey: QueryKey } | undefined) =>
      before && isSameListing(before.queryKey, source.key) ? shown : undefined,
  });

  useEffect(() => {
    latest.current = source;
  });

  useEffect(() => {
    const { key } = latest.current;
    const current = createPageLoader({
      load: (token, signal) => latest.current.load(token, signal),
      read: () => client.getQueryData<EntryBook>(key),
      write: (book) =>
        client.setQueryData(key, book, { updatedAt: client.getQueryState(key)?.dataUpdatedAt ?? 0 }),
      settled: settle,
    });
    loader.current = current;
    current.want(seen.current);
    return () => {
      current.stop();
      loader.current = undefined;
    };
  }, [client, hash]);

  const book = query.data;
  useEffect(() => {
    if (book && loader.current?.failure() === undefined) loader.current?.want(seen.current);
  }, [book]);

  const actions = useMemo(() => {
    const read = () => client.getQueryData<EntryBook>(latest.current.key) ?? EMPTY;
    const between = async (range: RowRange) => {
      await client.ensureQueryData(entriesQuery(latest.current, () => seen.current));
      await loader.current?.reach(range);
      return rowsIn(read(), range);
    };
    return {
      want(range: RowRange) {
        seen.current = range;
        loader.current?.want(range);
      },
      between,
      async locate(id: string, within = LOCATED_WITHIN) {
        let found = indexOf(read(), id);
        while (found === undefined && !isComplete(read()) && reachedRows(read()) < within) {
          await loader.current?.reach({ from: 0, to: reachedRows(read()) + 1 });
          found = indexOf(read(), id);
        }
        return found;
      },
      async idsOf(selection: Selection) {
        if (selection.mode === 'some') return namedIds(selection);
        const rows = await between(WHOLE);
        return rows.filter((row) => isSelected(selection, row.id)).map((row) => row.id);
      },
      retry() {
        if (client.getQueryData(latest.current.key)) loader.current?.want(seen.current);
        else void client.refetchQueries({ queryKey: latest.current.key, exact: true });
      },
      refresh: () => client.invalidateQueries({ queryKey: latest.current.key, exact: true }),
      change(change: (file: File) => File | undefined) {
        client.setQueryData<EntryBook>(latest.current.key, (book) => book && changed(book, change));
      },
    };
  }, [client]);

  const failure = query.data ? loader.current?.failure() : query.error;
  return useMemo(() => {
    const shown = book ?? EMPTY;
    return {
      ...actions,
      count: rowCount(shown),
      total: totalOf(shown),
      amount: isComplete(shown) ? amountIn(rowsIn(shown, WHOLE)) : undefined,
      fileAt: (index: number) => fileAt(shown, index),
      known: (range: RowRange) => rowsIn(shown, range),
      indexOf: (id: string) => indexOf(shown, id),
      parentOf: (id: string) => parentOf(shown, id),
      fileOf: (id: string) => {
        const index = indexOf(shown, id);
        return index === undefined ? undefined : fileAt(shown, index);
      },
      isLoading: !book && !query.isError,
      isRefreshing: query.isRefetching || query.isPlaceholderData,
      failure: failure ?? undefined,
    };
  }, [actions, book, failure, query.isError, query.isRefetching, query.isPlaceholderData]);
}

/** Returns true if two keys differ only in the order, their last part. */
function isSameListing(one: QueryKey, other: QueryKey): boolean {
  return hashKey(one.slice(0, -1)) === hashKey(other.slice(0, -1));
}
