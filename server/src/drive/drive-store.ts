import { sql, type Selectable } from 'kysely';
import { beyond, createStatements, type Sql, type Tx } from '../foundation/database/index.ts';
import { among, amongList, listOf } from './among-store.ts';
import type { DriveTables } from './drive-tables.ts';
import type { NodeRow } from './drive.ts';
import type { NamedNode, NameRecords } from './name-index/index.ts';

/** Row to insert, which identifies its bytes by their hash. */
export type NodeColumns = Omit<Selectable<DriveTables['node']>, 'blob' | 'file_count' | 'folder_count'> &
  Pick<NodeRow, 'blob'>;

type Named = Pick<NodeColumns, 'name' | 'name_fold' | 'name_key' | 'type_key'>;
type NodeChange = Partial<Omit<NodeColumns, 'blob'>>;
/** Names are written one by one, or by {@link DriveStore.rename}. */
type CommonChange = Omit<NodeChange, 'name'>;

const COLUMNS = [
  'id',
  'account',
  'parent',
  'kind',
  'name',
  'name_fold',
  'name_key',
  'type_key',
  'size',
  'file_count',
  'folder_count',
  'created_at',
  'modified_at',
  'trashed_at',
  'starred_at',
  'origin',
] as const;
const BYTES = ['blob.hash as blob', 'blob.gcid', 'blob.sha1', 'blob.md5', 'blob.quarantined_at'] as const;
const OWN = COLUMNS.map((column) => `node.${column}` as const);
const SHOWN = [
  'node.id',
  'node.account',
  'node.parent',
  'node.kind',
  'node.name',
  'node.size',
  'node.created_at',
  'node.modified_at',
  'node.trashed_at',
  'node.starred_at',
  'node.origin',
  'blob.gcid',
  'blob.md5',
  'blob.quarantined_at',
] as const;
/** The columns of folders that the API shows besides. */
export const SUMS = ['node.file_count', 'node.folder_count'] as const;

const withBytes = (at: Sql) =>
  at.on<DriveTables>().selectFrom('node').leftJoin('blob', 'blob.id', 'node.blob');

/** Selects nodes with the properties of their bytes. */
export const nodes = (at: Sql) => withBytes(at).select([...OWN, ...BYTES]);

/** Selects the columns of nodes that the API shows. */
export const shownNodes = (at: Sql) => withBytes(at).select(SHOWN);

/** Every name that is written is recorded in `names`, so that it is found. */
export function createDriveStore({ names }: { names: NameRecords }) {
  const statements = createStatements();
  return {
    /** Counts a change to an account's tree. */
    async raiseVersion(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'files');
      await statements.change(tx, 'raise version', { account }, (value) =>
        tx
          .on<DriveTables>()
          .insertInto('tree_version')
          .values({ account: value.account, version: 1 })
          .onConflict((conflict) =>
            conflict.column('account').doUpdateSet({ version: sql<number>`tree_version.version + 1` }),
          ),
      );
    },

    /** Returns the number of changes to an account's tree. */
    async version(at: Sql, account: string): Promise<number> {
      const [row] = await statements.rows(at, 'version', { account }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('tree_version')
          .select('version')
          .where('account', '=', value.account),
      );
      return row?.version ?? 0;
    },

    async eraseVersion(tx: Tx, account: string): Promise<void> {
      await tx.on<DriveTables>().deleteFrom('tree_version').where('account', '=', account).execute();
    },

    /** Returns the nodes and all their ancestors, each once. */
    async lineage(at: Sql, ids: readonly string[]): Promise<NodeRow[]> {
      return statements.rows(at, 'lineage', { ids: listOf(at, ids) }, (value) => ({
        compile: () =>
          sql<NodeRow>`
            with recursive up (id, parent) as (
              select id, parent from node where ${amongList(at, 'id', value.ids)}
              union
              select node.id, node.parent from node join up on node.id = up.parent
            )
            select ${sql.join(OWN.map((column) => sql.ref(column)))},
              blob.hash as blob, blob.gcid, blob.sha1, blob.md5, blob.quarantined_at
            from up join node on node.id = up.id left join blob on blob.id = node.blob`.compile(at.on()),
      }));
    },

    async byIds(at: Sql, ids: readonly string[]): Promise<NodeRow[]> {
      return nodes(at)
        .where(among(at, 'node.id', ids))
        .execute();
    },

    async byId(at: Sql, id: string): Promise<NodeRow | undefined> {
      const [row] = await statements.rows(at, 'by id', { id }, (value) =>
        nodes(at).where('node.id', '=', value.id),
      );
      return row;
    },

    /** Returns live children of a folder that have one of these folded names. */
    async named(at: Sql, parent: string, folds: readonly string[]): Promise<NodeRow[]> {
      return statements.rows(at, 'named', { parent, folds: listOf(at, folds) }, (value) =>
        nodes(at)
          .where('node.parent', '=', value.parent)
          .where('node.trashed_at', 'is', null)
          .where(amongList(at, 'node.name_fold', value.folds)),
      );
    },

    async insert(tx: Tx, node: NodeColumns): Promise<void> {
      const shape = node.blob === null ? 'insert folder' : 'insert file';
      await statements.change(tx, shape, { ...node }, ({ blob, ...row }) =>
        tx
          .on<DriveTables>()
          .insertInto('node')
          .values({
            ...row,
            blob: node.blob === null ? null : sql<number>`(select id from blob where hash = ${blob})`,
          }),
      );
      await names.added(tx, [node]);
    },

    async update(tx: Tx, id: string, change: NodeChange): Promise<void> {
      const update = tx.on<DriveTables>().updateTable('node').set(change).where('id', '=', id);
      if (change.name === undefined) await update.execute();
      else await names.renamed(tx, await update.returning(['id', 'account', 'kind', 'name']).execute());
    },

    /** Assigns the bytes of a blob's row to a file. */
    async replaceBytes(
      tx: Tx,
      id: string,
      { blob, ...change }: Pick<NodeColumns, 'size' | 'modified_at'> & { blob: string },
    ): Promise<void> {
      await tx
        .on<DriveTables>()
        .updateTable('node')
        .set({ ...change, blob: sql<number>`(select id from blob where hash = ${blob})` })
        .where('id', '=', id)
        .execute();
    },

    async updateMany(tx: Tx, ids: readonly string[], change: CommonChange): Promise<void> {
      if (ids.length === 0) return;
      await tx
        .on<DriveTables>()
        .updateTable('node')
        .set(change)
        .where(among(tx, 'id', ids))
        .execute();
    },

    /**
     * Frees the names of nodes of a folder until the same transaction renames them: no name contains a slash. What
     * people see of a name stays.
     */
    async park(tx: Tx, ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await tx
        .on<DriveTables>()
        .updateTable('node')
        .set({ name_fold: sql<string>`'/' || id` })
        .where(among(tx, 'id', ids))
        .execute();
    },

    /** Renames many nodes and moves them to a folder, in one statement. */
    async rename(tx: Tx, named: readonly (Named & { readonly id: string })[], parent: string): Promise<void> {
      if (named.length === 0) return;
      const rows = JSON.stringify(
        named.map(({ id, name, name_fold, name_key, type_key }) => [id, name, name_fold, name_key, type_key]),
      );
      const from =
        tx.dialect === 'postgres'
          ? sql`json_array_elements(${rows}::json) as given (value)`
          : sql`json_each(${rows}) as given`;
      const renamed = await sql<NamedNode>`
        update node set parent = ${parent}, name = given.value ->> 1, name_fold = given.value ->> 2, name_key = given.value ->> 3, type_key = given.value ->> 4
        from ${from} where node.id = given.value ->> 0
        returning node.id, node.account, node.kind, node.name`.execute(tx.on());
      await names.renamed(tx, renamed.rows);
    },

    /**
     * Hides subtrees from every view by moving their roots to places that are not below any account's root.
     */
    async putAway(tx: Tx, ids: readonly string[], place: string): Promise<void> {
      if (ids.length === 0) return;
      await tx
        .on<DriveTables>()
        .updateTable('node')
        .set({ parent: sql<string>`cast(${place} as text) || id`, trashed_at: null, starred_at: null })
        .where(among(tx, 'id', ids))
        .execute();
    },

    /** Returns some of the nodes in an account's root, or trashed by themselves. */
    async rootsOf(at: Sql, account: string, limit: number): Promise<string[]> {
      const live = at
        .on<DriveTables>()
        .selectFrom('node')
        .select('id')
        .where('parent', '=', account)
        .where('trashed_at', 'is', null)
        .limit(limit);
      const trashed = at
        .on<DriveTables>()
        .selectFrom('node')
        .select('id')
        .where('account', '=', account)
        .where('trashed_at', 'is not', null)
        .limit(limit);
      const found = await live.execute();
      return (found.length > 0 ? found : await trashed.execute()).map(({ id }) => id);
    },

    /** Returns the purge and copy places with roots of an account: `!purge/X/`. */
    async placesOf(at: Sql, account: string): Promise<string[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('node')
        .select('parent')
        .where('parent', '>=', '!')
        .where('parent', '<', '"')
        .where('account', '=', account)
        .execute();
      return [...new Set(rows.map(({ parent }) => parent.slice(0, parent.lastIndexOf('/') + 1)))];
    },

    /** Lists roots that were trashed before `before`, the oldest first, beginning after a place. */
    async trashedBefore(
      at: Sql,
      before: number,
      limit: number,
      after?: { readonly at: number; readonly id: string },
    ): Promise<Pick<NodeRow, 'id' | 'account' | 'trashed_at'>[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'account', 'trashed_at'])
        .where('trashed_at', 'is not', null)
        .where('trashed_at', '<', before)
        .$if(after !== undefined, (query) =>
          query.where(beyond(['trashed_at', 'id'], [after!.at, after!.id], false)),
        )
        .orderBy('trashed_at')
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}

export type DriveStore = ReturnType<typeof createDriveStore>;
