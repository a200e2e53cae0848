import type { Sql } from '../../foundation/database/index.ts';
import { FOLDER } from '../drive.ts';

/** Columns of a node that a walk reads. */
interface Walked {
  readonly id: string;
  readonly kind: 0 | 1;
}

/** Reads live children with the columns that the caller of a walk needs. */
export interface WalkStore<Row extends Walked> {
  /** Children of several folders, at most `limit`, in no particular order. */
  childrenOf(at: Sql, folders: readonly string[], limit: number): Promise<Row[]>;
  /** Children of one folder whose folded names follow `name`, in the order of these names. */
  childrenBeyond(at: Sql, folder: string, name: string, limit: number): Promise<(Row & { name: string })[]>;
}

/** Walks over subtrees, a slice of rows at a time, each folder before its children. */
export interface Walk<Row> {
  /** Returns the next rows; an empty array at the end. */
  next(sql: Sql): Promise<Row[]>;
}

export interface WalkOptions<Row> {
  readonly roots: readonly Row[];
  /** Filter for nodes; a node that fails is skipped with all its descendants. */
  readonly visible?: ((node: Row) => boolean) | undefined;
  /** Maximum number of rows of a slice. */
  readonly slice: number;
}

const MOST_FOLDERS = 400;

export function createWalk<Row extends Walked>(
  store: WalkStore<Row>,
  { roots, visible = () => true, slice }: WalkOptions<Row>,
): Walk<Row> {
  const folders: string[] = [];
  let at = 0;
  let root = 0;
  /** Number of folders read in one query: many if they are small, one if it is large. */
  let together = 16;
  let paged: { folder: string; name: string } | undefined;

  const pass = (rows: readonly Row[]): Row[] => {
    const seen = rows.filter((row) => visible(row));
    for (const row of seen) if (row.kind === FOLDER) folders.push(row.id);
    return seen;
  };

  async function page(sql: Sql, { folder, name }: { folder: string; name: string }): Promise<Row[]> {
    const rows = await store.childrenBeyond(sql, folder, name, slice);
    paged = rows.length < slice ? undefined : { folder, name: rows.at(-1)!.name };
    return rows;
  }

  return {
    async next(sql) {
      if (root < roots.length) return pass(roots.slice(root, (root += slice)));
      while (paged || at < folders.length) {
        if (paged) {
          const rows = pass(await page(sql, paged));
          if (rows.length > 0) return rows;
          continue;
        }
        const group = folders.slice(at, at + together);
        const rows = await store.childrenOf(sql, group, slice + 1);
        if (rows.length > slice && group.length > 1) {
          together = Math.max(1, Math.floor(group.length / 4));
          continue;
        }
        at += group.length;
        if (rows.length > slice) {
          paged = { folder: group[0]!, name: '' };
          continue;
        }
        if (rows.length < slice / 4) together = Math.min(together * 2, MOST_FOLDERS);
        const seen = pass(rows);
        if (seen.length > 0) return seen;
      }
      return [];
    },
  };
}
