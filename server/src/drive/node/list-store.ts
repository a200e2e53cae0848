import { sql, type Compilable } from 'kysely';
import type { SortKey } from '@bowerbird/contract';
import { beyond, createStatements, type KeysetPosition, type Sql } from '../../foundation/database/index.ts';
import { nodes, shownNodes, SUMS } from '../drive-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FOLDER, type Area, type NodeRow, type ShownNode } from '../drive.ts';

/** Rows of one kind that an index returns in order. */
export interface IndexRange {
  readonly area: Area;
  readonly kind: 0 | 1;
  readonly trashed: boolean;
}

export type SortColumn =
  | 'name_key'
  | 'type_key'
  | 'modified_at'
  | 'trashed_at'
  | 'starred_at'
  | 'size'
  | 'id';

const COLUMNS: Readonly<Record<SortKey, readonly SortColumn[]>> = {
  name: ['name_key', 'id'],
  type: ['type_key', 'name_key', 'id'],
  modified: ['modified_at', 'id'],
  size: ['size', 'id'],
};

/**
 * Returns the columns that order an area; the last of them is unique. In the trash and among starred nodes, time
 * is that of trashing or starring.
 */
export function sortColumns(area: Area, key: SortKey): readonly SortColumn[] {
  if (key !== 'modified' || 'folder' in area) return COLUMNS[key];
  return 'trashOf' in area ? ['trashed_at', 'id'] : ['starred_at', 'id'];
}

/** Rows with all their columns, or only with those that the API shows and that order them. */
export interface Rows {
  all: NodeRow;
  shown: ShownNode & Partial<NodeRow>;
}

/** Selects the columns of {@link Rows}. A column that is selected twice is read twice. */
function selected(at: Sql, width: keyof Rows, kind: 0 | 1, columns: readonly SortColumn[]) {
  if (width === 'all') return nodes(at);
  const missing = columns.filter((column) => column === 'name_key' || column === 'type_key');
  return shownNodes(at).select([
    ...missing.map((column) => `node.${column}` as const),
    ...(kind === FOLDER ? SUMS : []),
  ]);
}

function range(rows: ReturnType<typeof selected>, { area, kind, trashed }: IndexRange) {
  const within = rows.where('node.kind', '=', kind).where('node.trashed_at', trashed ? 'is not' : 'is', null);
  if ('folder' in area) return within.where('node.parent', '=', area.folder);
  if ('trashOf' in area) return within.where('node.account', '=', area.trashOf);
  return within.where('node.account', '=', area.starredOf).where('node.starred_at', 'is not', null);
}

/**
 * Returns true if the first columns of an order are unique already: a key of a name contains the name, which no two live
 * nodes of a folder share. Their indexes don't contain the id.
 */
const isUnique = ({ area, trashed }: IndexRange, key: SortKey): boolean =>
  'folder' in area && !trashed && (key === 'name' || key === 'type');

/** Id that the rows of an area have in common: of their folder, or of their account. */
const ownerOf = (area: Area): string =>
  'folder' in area ? area.folder : 'trashOf' in area ? area.trashOf : area.starredOf;

/** The same kind of area with another owner. */
const ownedBy = (area: Area, owner: string): Area =>
  'folder' in area ? { folder: owner } : 'trashOf' in area ? { trashOf: owner } : { starredOf: owner };

export function createListStore() {
  const statements = createStatements();
  return {
    /**
     * Reads the next rows of a range after a place; O(limit) for live children and the trash, whatever their
     * size.
     */
    async read<W extends keyof Rows>(
      at: Sql,
      width: W,
      of: IndexRange,
      order: { key: SortKey; descending: boolean; place: KeysetPosition | undefined; limit: number },
    ): Promise<Rows[W][]> {
      const { key, descending, place } = order;
      const sorted = sortColumns(of.area, key);
      const columns = sorted.map((column) => `node.${column}` as const);
      const [kind] = Object.keys(of.area);
      const shape = `${width} ${kind} ${of.kind} ${of.trashed} ${key} ${descending} ${place !== undefined}`;
      const values: { owner: string; limit: number; [place: `place${number}`]: string | number } = {
        owner: ownerOf(of.area),
        limit: order.limit,
        ...Object.fromEntries((place ?? []).map((part, index) => [`place${index}`, part])),
      };
      return statements.rows(at, shape, values, (value) => {
        let query = range(selected(at, width, of.kind, sorted), {
          ...of,
          area: ownedBy(of.area, value.owner),
        }).limit(value.limit);
        for (const column of isUnique(of, key) ? columns.slice(0, -1) : columns)
          query = query.orderBy(column, descending ? 'desc' : 'asc');
        if (place)
          query = query.where(
            beyond(
              columns,
              place.map((_, index) => value[`place${index}`]!),
              descending,
            ),
          );
        return query as unknown as Compilable<Rows[W]>;
      });
    },

    /** Counts the rows of a range; returns `most + 1` if there are more. */
    async count(at: Sql, { area, kind, trashed }: IndexRange, most: number): Promise<number> {
      const owner =
        'folder' in area
          ? (['parent', area.folder] as const)
          : 'trashOf' in area
            ? (['account', area.trashOf] as const)
            : (['account', area.starredOf] as const);
      const rows = at
        .on<DriveTables>()
        .selectFrom('node')
        .select(sql<number>`1`.as('one'))
        .where(owner[0], '=', owner[1])
        .where('kind', '=', kind)
        .where('trashed_at', trashed ? 'is not' : 'is', null)
        .$if('starredOf' in area, (query) => query.where('starred_at', 'is not', null))
        .limit(most + 1);
      const counted = await at
        .on<DriveTables>()
        .selectFrom(rows.as('rows'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(counted.count);
    },
  };
}

export type ListStore = ReturnType<typeof createListStore>;
