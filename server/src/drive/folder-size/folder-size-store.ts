import { sql } from 'kysely';
import { createStatements, type Sql, type Tx } from '../../foundation/database/index.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import { FOLDER } from '../drive.ts';
import { lossOf, movedTo, type Contents, type Gain } from './folder-size.ts';

/** Folders that are updated or read in one statement. */
const AT_ONCE = 2000;

const number = (at: number) => sql<number>`cast(given.value ->> ${sql.lit(at)} as bigint)`;

/** Rows of a JSON array of arrays, as `given.value`. */
const given = (at: Sql, rows: unknown) =>
  at.dialect === 'postgres'
    ? sql`json_array_elements(cast(${rows} as json)) as given (value)`
    : sql`json_each(${rows}) as given`;

/**
 * Sums of folders, in the rows of the folders: `size`, `file_count` and `folder_count`. All but `of` run in a
 * transaction that holds the tree lock of the account.
 */
export function createFolderSizeStore() {
  const statements = createStatements();

  const store = {
    /** Returns the sizes that the nodes add to their parents, with everything below them; trashed ones add nothing. */
    async of(at: Sql, ids: readonly string[]): Promise<Gain[]> {
      if (ids.length === 0) return [];
      const { rows } = await sql<Gain>`
        select parent, cast(sum(size) as bigint) as bytes,
          cast(sum(case kind when 1 then 1 else file_count end) as bigint) as files,
          cast(sum(case kind when 0 then 1 + folder_count else 0 end) as bigint) as folders
        from node where ${among(at, 'id', ids)} and trashed_at is null group by parent`.execute(at.on());
      return rows.map((row) => ({
        parent: row.parent,
        bytes: Number(row.bytes),
        files: Number(row.files),
        folders: Number(row.folders),
      }));
    },

    /**
     * Adds to folders and all folders above them, up to a trashed one. Each of them is written once; those that gain as
     * much as they lose aren't.
     */
    async add(tx: Tx, gains: readonly Gain[]): Promise<void> {
      const some = gains.filter(({ bytes, files, folders }) => bytes !== 0 || files !== 0 || folders !== 0);
      if (some.length === 0) return;
      const rows = JSON.stringify(
        some.map(({ parent, bytes, files, folders }) => [parent, bytes, files, folders]),
      );
      // `union` and `start` end the recursion in a tree whose parents are a cycle, which only a defect could cause.
      await statements.change(tx, 'add', { rows }, (value) => ({
        compile: () =>
          sql`
            with recursive up (id, parent, trashed_at, start, bytes, files, folders) as (
              select node.id, node.parent, node.trashed_at, given.value ->> 0, ${number(1)}, ${number(2)}, ${number(3)}
              from ${given(tx, value.rows)} join node on node.id = given.value ->> 0
              union
              select node.id, node.parent, node.trashed_at, up.start, up.bytes, up.files, up.folders
              from up join node on node.id = up.parent where up.trashed_at is null
            ), gained (id, bytes, files, folders) as (
              select id, cast(sum(bytes) as bigint), cast(sum(files) as bigint), cast(sum(folders) as bigint) from up
              group by id having sum(bytes) <> 0 or sum(files) <> 0 or sum(folders) <> 0
            )
            update node set size = size + gained.bytes, file_count = file_count + gained.files,
              folder_count = folder_count + gained.folders
            from gained where node.id = gained.id and node.kind = 0`.compile(tx.on()),
      }));
    },

    /** Takes nodes out of the sums of the folders above them. Call it before they leave; none is below another. */
    async leave(tx: Tx, ids: readonly string[]): Promise<void> {
      await store.add(tx, lossOf(await store.of(tx, ids)));
    },

    /** Adds nodes to the sums of the folders above them, after they arrived. */
    async arrive(tx: Tx, ids: readonly string[]): Promise<void> {
      await store.add(tx, await store.of(tx, ids));
    },

    /** Moves contents, read with `of` before the nodes moved, to the sums of another folder. */
    async move(tx: Tx, left: readonly Gain[], parent: string): Promise<void> {
      await store.add(tx, [...lossOf(left), movedTo(parent, left)]);
    },

    /** Sets the sums of folders that nobody sees yet. */
    async fill(tx: Tx, sums: readonly (Contents & { readonly id: string })[]): Promise<void> {
      for (let at = 0; at < sums.length; at += AT_ONCE) {
        const rows = JSON.stringify(
          sums.slice(at, at + AT_ONCE).map(({ id, bytes, files, folders }) => [id, bytes, files, folders]),
        );
        await statements.change(tx, 'fill', { rows }, (value) => ({
          compile: () =>
            sql`update node set size = ${number(1)}, file_count = ${number(2)}, folder_count = ${number(3)}
              from ${given(tx, value.rows)} where node.id = given.value ->> 0`.compile(tx.on()),
        }));
      }
    },

    /** Counts what is below folders again, from the deepest up, and corrects all sums there. */
    async recount(tx: Tx, folders: readonly string[]): Promise<void> {
      const levels: string[][] = [];
      for (let level = [...folders]; level.length > 0;) {
        levels.push(level);
        const next: string[] = [];
        for (let at = 0; at < level.length; at += AT_ONCE) {
          const rows = await tx
            .on<DriveTables>()
            .selectFrom('node')
            .select('id')
            .where(among(tx, 'parent', level.slice(at, at + AT_ONCE)))
            .where('kind', '=', FOLDER)
            .where('trashed_at', 'is', null)
            .execute();
          for (const { id } of rows) next.push(id);
        }
        level = next;
      }
      for (const level of levels.toReversed())
        for (let at = 0; at < level.length; at += AT_ONCE)
          await sql`
            update node set
              size = coalesce((select sum(size) from node as child where child.parent = node.id and child.trashed_at is null), 0),
              file_count = coalesce((select sum(case kind when 1 then 1 else file_count end) from node as child where child.parent = node.id and child.trashed_at is null), 0),
              folder_count = coalesce((select sum(1 + folder_count) from node as child where child.parent = node.id and child.kind = 0 and child.trashed_at is null), 0)
            where ${among(tx, 'id', level.slice(at, at + AT_ONCE))} and kind = 0`.execute(tx.on());
    },

    /** Bytes of everything in the trash of an account, from an index. */
    async trashBytes(at: Sql, account: string): Promise<number> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
        .where('account', '=', account)
        .where('trashed_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(row.bytes);
    },

    /** Sums everything in the trash of an account. */
    async trash(at: Sql, account: string): Promise<Contents> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select([
          sql<number>`coalesce(sum(size), 0)`.as('bytes'),
          sql<number>`coalesce(sum(case kind when 1 then 1 else file_count end), 0)`.as('files'),
          sql<number>`coalesce(sum(case kind when 0 then 1 + folder_count else 0 end), 0)`.as('folders'),
        ])
        .where('account', '=', account)
        .where('trashed_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return { bytes: Number(row.bytes), files: Number(row.files), folders: Number(row.folders) };
    },
  };
  return store;
}

export type FolderSizeStore = ReturnType<typeof createFolderSizeStore>;
