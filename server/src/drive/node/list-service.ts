import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { KeysetPosition, Sql } from '../../foundation/database/index.ts';
import { sortColumns, type IndexRange, type ListStore, type Rows } from './list-store.ts';
import type { Area, ListOrder, NodeRow, ShownNode } from '../drive.ts';
import { compareBytes } from '../name-key.ts';

export interface ListView {
  readonly area: Area;
  readonly order: ListOrder;
  readonly kinds: readonly (0 | 1)[];
  /** Live, trashed, or both. */
  readonly trashed: readonly boolean[];
  /** Filters the rows read; the list reads on until it has a page. */
  readonly keep?:
    | ((rows: readonly ShownNode[]) => Promise<readonly ShownNode[]> | readonly ShownNode[])
    | undefined;
}

export interface ListPage<Row = NodeRow> {
  readonly rows: Row[];
  readonly next: KeysetPosition | undefined;
}

interface PageSpan {
  readonly limit: number;
  readonly place: KeysetPosition | undefined;
}

export interface Lists {
  page(sql: Sql, view: ListView, page: PageSpan): Promise<ListPage>;
  /** Same as {@link Lists.page} with only those columns that the API shows. */
  shownPage(sql: Sql, view: ListView, page: PageSpan): Promise<ListPage<ShownNode>>;
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

  /** Reads at most `limit` rows. */
  async function read<W extends keyof Rows>(
    sql: Sql,
    width: W,
    view: ListView,
    limit: number,
    place: KeysetPosition | undefined,
  ): Promise<Found<Rows[W]>> {
    const { key, descending } = view.order;
    const columns = sortColumns(view.area, key);
    const groups = groupsOf(view);
    const first = Number(place?.[0] ?? 0);
    const rows: Rows[W][] = [];
    const groupOf: number[] = [];
    const keyOf = (row: Rows[W]): KeysetPosition => columns.map((column) => row[column]!);
    for (let at = first; at < groups.length && rows.length < limit; at++) {
      const beyond = at === first ? place?.slice(1) : undefined;
      const wanted = limit - rows.length;
      const lists = await Promise.all(
        groups[at]!.map((range) =>
          store.read(sql, width, range, { key, descending, place: beyond, limit: wanted }),
        ),
      );
      for (const row of merge(lists, keyOf, descending).slice(0, wanted)) {
        rows.push(row);
        groupOf.push(at);
      }
    }
    return { rows, placeAt: (index) => [groupOf[index]!, ...keyOf(rows[index]!)] };
  }

  async function pageOf<W extends keyof Rows>(
    sql: Sql,
    width: W,
    view: ListView,
    { limit, place }: PageSpan,
  ): Promise<ListPage<Rows[W]>> {
    if (!view.keep) return cut(await read(sql, width, view, limit + 1, place), limit);
    const found: Rows[W][] = [];
    const places: (() => KeysetPosition)[] = [];
    let from = place;
    for (let scanned = 0; ;) {
      const { rows, placeAt } = await read(sql, width, view, SLICE, from);
      const kept = new Set<ShownNode>(await view.keep(rows));
      for (const [index, row] of rows.entries()) {
        if (!kept.has(row)) continue;
        found.push(row);
        places.push(() => placeAt(index));
      }
      scanned += rows.length;
      from = rows.length > 0 ? placeAt(rows.length - 1) : undefined;
      if (found.length > limit || rows.length < SLICE)
        return cut({ rows: found, placeAt: (index) => places[index]!() }, limit);
      if (found.length > 0 && scanned >= SCANNED) return { rows: found, next: from };
      await yieldToEventLoop();
    }
  }

  return {
    page: (sql, view, page) => pageOf(sql, 'all', view, page),
    shownPage: (sql, view, page) => pageOf(sql, 'shown', view, page),

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

/** Rows that were read, and the place of each. */
interface Found<Row> {
  readonly rows: readonly Row[];
  readonly placeAt: (index: number) => KeysetPosition;
}

function cut<Row>({ rows, placeAt }: Found<Row>, limit: number): ListPage<Row> {
  return { rows: rows.slice(0, limit), next: rows.length > limit ? placeAt(limit - 1) : undefined };
}

/** Merges sorted lists. */
function merge<Row>(
  lists: readonly Row[][],
  keyOf: (row: Row) => KeysetPosition,
  descending: boolean,
): readonly Row[] {
  if (lists.length === 1) return lists[0]!;
  return lists
    .flat()
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => (descending ? compareKeys(b.key, a.key) : compareKeys(a.key, b.key)))
    .map(({ row }) => row);
}

/** Compares places in the same order of a list. */
export function compareKeys(a: KeysetPosition, b: KeysetPosition): number {
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at]!, b[at]!];
    const order = typeof x === 'number' ? x - (y as number) : compareBytes(x, y as string);
    if (order !== 0) return order;
  }
  return 0;
}
