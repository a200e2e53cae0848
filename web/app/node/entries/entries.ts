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
  type Stretch,
  totalOf,
} from './entry-book.ts';
import { createPageLoader, type LoadPage, type PageLoader, refreshed } from './page-loader.ts';
import { amountIn, isSelected, namedIds, type Amount, type Selectable, type Selection } from './selection.ts';

export interface EntriesSource {
  /** react-query key: folder, filters, everything that makes another listing; the order last. */
  readonly key: QueryKey;
  readonly load: LoadPage;
  /** The first page where the server has rendered with it. */
  readonly initial?: EntryPage | undefined;
}

/** A folder's entries, of which only the looked-at stretches need be here. */
export interface Entries {
  /** Rows to lay out. */
  readonly count: number;
  /** Entries of the whole folder; undefined as long as nobody knows. */
  readonly total: number | undefined;
  /** What the whole folder holds, once every row has been reached. */
  readonly amount: Amount | undefined;
  readonly fileAt: (index: number) => File | undefined;
  readonly fileOf: (id: string) => File | undefined;
  readonly indexOf: (id: string) => number | undefined;
  /** The folder of an entry, also where only its row is still known. */
  readonly parentOf: (id: string) => string | undefined;
  /** Tells which rows are looked at, so that their pages are loaded. */
  readonly want: (stretch: Stretch) => void;
  /** The rows of a stretch as far as pages have reached. */
  readonly known: (stretch: Stretch) => readonly Selectable[];
  /** The rows of a stretch, loading what lies between. */
  readonly between: (stretch: Stretch) => Promise<readonly Selectable[]>;
  /** Finds an entry's row, loading page after page through at most `within` rows. */
  readonly locate: (id: string, within?: number) => Promise<number | undefined>;
  /** The ids that a selection means; "all but" loads the whole folder through. */
  readonly idsOf: (selection: Selection) => Promise<readonly string[]>;
  /** True before the first page is here. */
  readonly isLoading: boolean;
  /** True while old rows are shown and newer ones are on their way. */
  readonly isRefreshing: boolean;
  /** Why the first or a later page is missing. */
  readonly failure: unknown;
  readonly retry: () => void;
  readonly refresh: () => Promise<void>;
  /** Changes loaded entries at once (optimistic edits); undefined takes an entry out of the folder. */
  readonly change: (change: (file: File) => File | undefined) => void;
}

const NOWHERE: Stretch = { from: 0, to: 0 };
const WHOLE: Stretch = { from: 0, to: Number.POSITIVE_INFINITY };
const LOCATED_WITHIN = 20_000;
const EMPTY: EntryBook = { pages: [{ token: '', next: '', start: 0, rows: [], files: [] }], total: 0 };

/** The listing as react-query knows it; for loaders that fill the cache before a page is shown. */
export function entriesQuery(source: EntriesSource, seen: () => Stretch = () => NOWHERE) {
  return queryOptions({
    queryKey: source.key,
    queryFn: ({ client, signal }) =>
      refreshed(client.getQueryData<EntryBook>(source.key), seen(), source.load, signal),
    ...(source.initial ? { initialData: bookOf(source.initial) } : {}),
    structuralSharing: false,
  });
}

/** Changes an already loaded listing wherever it is shown, by its key. */
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
    // In another order the old rows stay until the new ones are here.
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
    const between = async (stretch: Stretch) => {
      await client.ensureQueryData(entriesQuery(latest.current, () => seen.current));
      await loader.current?.reach(stretch);
      return rowsIn(read(), stretch);
    };
    return {
      want(stretch: Stretch) {
        seen.current = stretch;
        loader.current?.want(stretch);
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
      known: (stretch: Stretch) => rowsIn(shown, stretch),
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

/** Whether two keys name one listing in two orders: the order is the last of their parts. */
function isSameListing(one: QueryKey, other: QueryKey): boolean {
  return hashKey(one.slice(0, -1)) === hashKey(other.slice(0, -1));
}
