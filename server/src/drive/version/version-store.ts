import { sql } from 'kysely';
import {
  createStatements,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import { among } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NewVersion, RemovedVersion, VersionRow } from './version.ts';

const REMOVED = ['id', 'account', 'node', 'blob', 'size'] as const;

const full = (at: Sql) =>
  at
    .on<DriveTables>()
    .selectFrom('version')
    .innerJoin('blob', 'blob.id', 'version.blob')
    .selectAll('version')
    .select(['blob.hash', 'blob.gcid', 'blob.quarantined_at']);

/** Versions that age and number don't remove have a label or are kept forever. */
const unpinned = (at: Sql) =>
  at.on<DriveTables>().selectFrom('version').select(REMOVED).where('kept', '=', 0).where('label', '=', '');

export function createVersionStore() {
  const statements = createStatements();
  return {
    async insert(tx: Tx, { hash, ...row }: NewVersion): Promise<void> {
      await tx
        .on<DriveTables>()
        .insertInto('version')
        .values({ ...row, label: '', kept: 0, blob: sql<number>`(select id from blob where hash = ${hash})` })
        .execute();
    },

    async find(at: Sql, node: string, id: string): Promise<VersionRow | undefined> {
      return full(at).where('version.id', '=', id).where('version.node', '=', node).executeTakeFirst();
    },

    /** Lists the versions of a file, the newest first, after a position. */
    async page(
      at: Sql,
      node: string,
      { place, limit }: { place: KeysetPosition | undefined; limit: number },
    ): Promise<VersionRow[]> {
      return full(at)
        .where('version.node', '=', node)
        .$if(place !== undefined, (rows) => rows.where('version.id', '<', String(place![0])))
        .orderBy('version.id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Lists the versions of all files of an account, in the order of their ids, with the names of the files. */
    async ofAccount(
      at: Sql,
      account: string,
      { after, limit }: { after: string; limit: number },
    ): Promise<(VersionRow & { name: string })[]> {
      return full(at)
        .innerJoin('node', 'node.id', 'version.node')
        .select('node.name')
        .where('version.account', '=', account)
        .where('version.id', '>', after)
        .orderBy('version.id')
        .limit(limit)
        .execute();
    },

    async newest(at: Sql, node: string): Promise<Pick<VersionRow, 'id' | 'how' | 'replaced_at'> | undefined> {
      return at
        .on<DriveTables>()
        .selectFrom('version')
        .select(['id', 'how', 'replaced_at'])
        .where('node', '=', node)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    /** Lists versions of a file that may be removed, the oldest first. */
    async oldest(at: Sql, node: string, limit: number): Promise<RemovedVersion[]> {
      return unpinned(at).where('node', '=', node).orderBy('id').limit(limit).execute();
    },

    /** Lists versions of a file that may be removed, except the newest of them. */
    async beyond(at: Sql, node: string, most: number): Promise<RemovedVersion[]> {
      return unpinned(at).where('node', '=', node).orderBy('id', 'desc').limit(10_000).offset(most).execute();
    },

    /** Lists versions of an account that may be removed and were replaced before a time. */
    async older(at: Sql, account: string, before: number, limit: number): Promise<RemovedVersion[]> {
      return unpinned(at)
        .where('account', '=', account)
        .where('replaced_at', '<', before)
        .orderBy('replaced_at')
        .limit(limit)
        .execute();
    },

    /** Lists the versions of files that are being deleted. */
    async ofNodes(at: Sql, nodes: readonly string[]): Promise<RemovedVersion[]> {
      if (nodes.length === 0) return [];
      return at
        .on<DriveTables>()
        .selectFrom('version')
        .select(REMOVED)
        .where(among(at, 'node', nodes))
        .execute();
    },

    async pinned(at: Sql, node: string): Promise<number> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('version')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('node', '=', node)
        .where((where) => where.or([where('kept', '=', 1), where('label', '<>', '')]))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    /** Number and bytes of the versions of a file, and the bytes of those that may be removed. */
    async sums(at: Sql, node: string): Promise<{ count: number; bytes: number; removable: number }> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('version')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number | null>('size').as('bytes'),
          sql<number | null>`sum(case when kept = 0 and label = '' then size else 0 end)`.as('removable'),
        ])
        .where('node', '=', node)
        .executeTakeFirst();
      return {
        count: Number(row?.count ?? 0),
        bytes: Number(row?.bytes ?? 0),
        removable: Number(row?.removable ?? 0),
      };
    },

    /** Number and bytes of all versions of an account. */
    async total(at: Sql, account: string): Promise<{ count: number; bytes: number }> {
      const [row] = await statements.rows(at, 'total', { account }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('version')
          .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('bytes')])
          .where('account', '=', value.account),
      );
      return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
    },

    /** Lists accounts that have versions, in order, after a given one. */
    async accounts(at: Sql, after: string, limit: number): Promise<string[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('version')
        .select('account')
        .distinct()
        .where('account', '>', after)
        .orderBy('account')
        .limit(limit)
        .execute();
      return rows.map(({ account }) => account);
    },

    async change(tx: Tx, id: string, change: { label?: string; kept?: 0 | 1 }): Promise<void> {
      await tx.on<DriveTables>().updateTable('version').set(change).where('id', '=', id).execute();
    },

    /** Moves the versions of one file to another. */
    async adopt(tx: Tx, from: string, to: string): Promise<void> {
      await tx.on<DriveTables>().updateTable('version').set({ node: to }).where('node', '=', from).execute();
    },

    async remove(tx: Tx, ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await tx
        .on<DriveTables>()
        .deleteFrom('version')
        .where(among(tx, 'id', ids))
        .execute();
    },

    /** Lists versions whose file doesn't exist or belongs to another account, and those with a wrong size. */
    async misfits(at: Sql): Promise<(RemovedVersion & { real: number; isStray: boolean })[]> {
      const { rows } = await sql<RemovedVersion & { real: number; owner: string | null; kind: 0 | 1 }>`
        select version.id, version.account, version.node, version.blob, version.size, blob.size as real,
          node.account as owner, node.kind
        from version left join node on node.id = version.node join blob on blob.id = version.blob
        where node.id is null or node.account <> version.account or node.kind <> 1 or blob.size <> version.size`.execute(
        at.on(),
      );
      return rows.map(({ owner, kind, ...row }) => ({
        ...row,
        isStray: owner !== row.account || kind !== 1,
      }));
    },

    async setSize(tx: Tx, id: string, size: number): Promise<void> {
      await tx.on<DriveTables>().updateTable('version').set({ size }).where('id', '=', id).execute();
    },

    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DriveTables>(database, ['version'], account, signal),
  };
}

export type VersionStore = ReturnType<typeof createVersionStore>;
