import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { KeysetPosition, Sql } from '../../foundation/database/index.ts';
import { sortColumns, type ListStore, type IndexRange } from './list-store.ts';
import type { Area, ListOrder, NodeRow } from '../drive.ts';
import { compareBytes } from '../name-key.ts';

export interface ListView {
  readonly area: Area;
  readonly order: ListOrder;
  readonly kinds: readonly (0 | 1)[];
  /** Live, trashed, or both. */
  readonly trashed: readonly boolean[];
  /** Filters the rows read; the list reads on until it has a page. */
  readonly keep?:
    | ((rows: readonly NodeRow[]) => Promise<readonly NodeRow[]> | readonly NodeRow[])
    | undefined;
}

export interface ListPage {
  readonly rows: NodeRow[];
  readonly next: KeysetPosition | undefined;
}

export interface Lists {
  page(
    sql: Sql,
    view: ListView,
    page: { limit: number; place: KeysetPosition | undefined },
  ): Promise<ListPage>;
  /** Counts the rows of all pages; undefined if there are too many to count, or if rows are filtered. */
  total(sql: Sql, view: ListView): Promise<number | undefined>;
}

/** Counting an index range of this length takes about as long as a page does. */
const COUNTED = 100_000;
const SLICE = 1000;
/**
 * Maximum number of rows read per page: after that, a filtered page may be short, so that no page is as
 * expensive as the whole folder.
 */
const SCANNED = 20_000;

export function createLists({ store }: { store: ListStore }): Lists {
  /** With folders first, the ranges are read one after the other; otherwise they are merged. */
  function groupsOf({ area, order, kinds, trashed }: ListView): IndexRange[][] {
    const ranges = kinds.map((kind) => trashed.map((state): IndexRange => ({ area, kind, trashed: state })));
    return order.foldersFirst ? ranges : [ranges.flat()];
  }

  /** Reads rows with their places, at most `limit`. */
  async function read(
    sql: Sql,
    view: ListView,
    limit: number,
    place: KeysetPosition | undefined,
  ): Promise<{ row: NodeRow; place: KeysetPosition }[]> {
    const { key, descending } = view.order;
    const columns = sortColumns(view.area, key);
    const groups = groupsOf(view);
    const first = Number(place?.[0] ?? 0);
    const found: { row: NodeRow; place: KeysetPosition }[] = [];
    for (let at = first; at < groups.length && found.length < limit; at++) {
      const beyond = at === first ? place?.slice(1) : undefined;
      const wanted = limit - found.length;
      const lists = await Promise.all(
        groups[at]!.map((range) => store.read(sql, range, { key, descending, place: beyond, limit: wanted })),
      );
      const placeOf = (row: NodeRow): KeysetPosition => [at, ...columns.map((column) => row[column]!)];
      found.push(
        ...merge(
          lists.map((rows) => rows.map((row) => ({ row, place: placeOf(row) }))),
          descending,
        ).slice(0, wanted),
      );
    }
    return found;
  }

  return {
    async page(sql, view, { limit, place }) {
      if (!view.keep) return cut(await read(sql, view, limit + 1, place), limit);
      const found: { row: NodeRow; place: KeysetPosition }[] = [];
      let from = place;
      for (let scanned = 0; ;) {
        const slice = await read(sql, view, SLICE, from);
        const kept = new Set(await view.keep(slice.map(({ row }) => row)));
        found.push(...slice.filter(({ row }) => kept.has(row)));
        scanned += slice.length;
        from = slice.at(-1)?.place;
        if (found.length > limit || slice.length < SLICE) return cut(found, limit);
        if (found.length > 0 && scanned >= SCANNED) return { rows: found.map(({ row }) => row), next: from };
        await yieldToEventLoop();
      }
    },

    async total(sql, view) {
      if (view.keep) return undefined;
      let count = 0;
      for (const range of groupsOf(view).flat()) {
        count += await store.count(sql, range, COUNTED - count);
        if (count > COUNTED) return undefined;
      }
      return count;
    },
  };
}

function cut(found: readonly { row: NodeRow; place: KeysetPosition }[], limit: number): ListPage {
  const shown = found.slice(0, limit);
  return { rows: shown.map(({ row }) => row), next: found.length > limit ? shown.at(-1)!.place : undefined };
}

function merge<Entry extends { place: KeysetPosition }>(lists: Entry[][], descending: boolean): Entry[] {
  if (lists.length === 1) return lists[0]!;
  return lists
    .flat()
    .toSorted((a, b) => (descending ? comparePlaces(b.place, a.place) : comparePlaces(a.place, b.place)));
}

function comparePlaces(a: KeysetPosition, b: KeysetPosition): number {
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]!, b[at]!];
    const order = typeof x === 'number' ? x - (y as number) : compareBytes(x, y as string);
    if (order !== 0) return order;
  }
  return 0;
}
