import { sql } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FOLDER } from '../drive.ts';
import type { NamedNode, NameRecords } from '../name-index/index.ts';

/** The columns of a node that counting and copying it need. `size` of folders is the sum of their files. */
export interface SourceNode {
  readonly id: string;
  readonly parent: string;
  readonly kind: 0 | 1;
  readonly type_key: string;
  readonly size: number;
  readonly quarantined_at: number | null;
}

/** The id of a node, the id of its copy, and the parent of its copy. */
export type Mapping = readonly [source: string, copy: string, parent: string];

const light = (at: Sql) =>
  at
    .on<DriveTables>()
    .selectFrom('node')
    .leftJoin('blob', 'blob.id', 'node.blob')
    .select(['node.id', 'node.parent', 'node.kind', 'node.type_key', 'node.size', 'blob.quarantined_at']);

/** Length of an id in characters. */
const ID = 26;

export function createTreeCopyStore({ names }: { names: NameRecords }) {
  return {
    /** Lists live children of several folders, at most `limit`, in no particular order. */
    async childrenOf(at: Sql, folders: readonly string[], limit: number): Promise<SourceNode[]> {
      return light(at)
        .where(among(at, 'node.parent', folders))
        .where('node.trashed_at', 'is', null)
        .limit(limit)
        .execute();
    },

    /** Lists live children of one folder whose names follow `name`, in the order of their names. */
    async childrenBeyond(
      at: Sql,
      folder: string,
      name: string,
      limit: number,
    ): Promise<(SourceNode & { name: string })[]> {
      const rows = await light(at)
        .select('node.name_fold')
        .where('node.parent', '=', folder)
        .where('node.name_fold', '>', name)
        .where('node.trashed_at', 'is', null)
        .orderBy('node.name_fold')
        .limit(limit)
        .execute();
      return rows.map(({ name_fold, ...row }) => ({ ...row, name: name_fold }));
    },

    async byIds(at: Sql, ids: readonly string[]): Promise<SourceNode[]> {
      return light(at)
        .where(among(at, 'node.id', ids))
        .execute();
    },

    /**
     * Returns whether subtrees have more than `most` nodes. Reads no more than that many, level by level: a recursive
     * query would read all children of all folders that it has found before it returns the next row.
     */
    async exceeds(at: Sql, roots: readonly SourceNode[], most: number): Promise<boolean> {
      let left = most;
      for (let level: readonly Pick<SourceNode, 'id' | 'kind'>[] = roots; ;) {
        left -= level.length;
        if (left < 0) return true;
        const folders = level.filter(({ kind }) => kind === FOLDER).map(({ id }) => id);
        if (folders.length === 0) return false;
        level = await at
          .on<DriveTables>()
          .selectFrom('node')
          .select(['id', 'kind'])
          .where(among(at, 'parent', folders))
          .where('trashed_at', 'is', null)
          .limit(left + 1)
          .execute();
      }
    },

    /**
     * Copies rows under new ids, folders without the sums of their contents. Returns the size of each copy by its id;
     * sources deleted in the meantime are skipped.
     */
    async copy(
      tx: Tx,
      account: string,
      mappings: readonly Mapping[],
      now: number,
    ): Promise<ReadonlyMap<string, number>> {
      const from =
        tx.dialect === 'postgres'
          ? sql`unnest(${mappings.map(([source]) => source)}::text[], ${mappings.map(([, copy]) => copy)}::text[], ${mappings.map(([, , parent]) => parent)}::text[]) as map (source, copy, parent)`
          : // Ids have one length, and cutting a text costs less than reading JSON again for each part.
            sql`(select substr(value, 1, ${ID}) as source, substr(value, ${ID + 1}, ${ID}) as copy, substr(value, ${2 * ID + 1}) as parent from json_each(${JSON.stringify(mappings.map((mapping) => mapping.join('')))})) as map`;
      // The names are those of the rows that were inserted, which may have changed since they were counted.
      const copies = sql<Omit<NamedNode, 'account'> & { size: number }>`
        insert into node (id, account, parent, kind, name, name_fold, name_key, type_key, size, blob, created_at, modified_at, trashed_at, starred_at, origin)
        select map.copy, ${account}, map.parent, node.kind, node.name, node.name_fold, node.name_key, node.type_key,
          case node.kind when 1 then node.size else 0 end, node.blob,
          cast(${now} as bigint), node.modified_at, null, null, null
        from ${from} cross join node where node.id = map.source
        returning id, kind, name, size`;
      const rows = await tx.rows(copies.compile(tx.on()));
      await names.added(
        tx,
        rows.map(({ id, kind, name }) => ({ id, kind, name, account })),
      );
      return new Map(rows.map(({ id, size }) => [id, Number(size)]));
    },

    /** Moves hidden roots into their folder, under the names that their rows have. */
    async attach(tx: Tx, ids: readonly string[], parent: string): Promise<void> {
      await tx
        .on<DriveTables>()
        .updateTable('node')
        .set({ parent })
        .where(among(tx, 'id', ids))
        .execute();
    },

    async begin(
      tx: Tx,
      treeCopy: { task: string; account: string; reserved: number; created_at: number },
    ): Promise<void> {
      await tx.on<DriveTables>().insertInto('graft').values(treeCopy).execute();
    },

    async find(at: Sql, task: string): Promise<{ account: string; reserved: number } | undefined> {
      return at
        .on<DriveTables>()
        .selectFrom('graft')
        .select(['account', 'reserved'])
        .where('task', '=', task)
        .executeTakeFirst();
    },

    async end(tx: Tx, task: string): Promise<{ account: string; reserved: number } | undefined> {
      return tx
        .on<DriveTables>()
        .deleteFrom('graft')
        .where('task', '=', task)
        .returning(['account', 'reserved'])
        .executeTakeFirst();
    },

    /** Deletes the account's records of copies under way, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DriveTables>(database, ['graft'], account, signal),
  };
}

export type TreeCopyStore = ReturnType<typeof createTreeCopyStore>;
