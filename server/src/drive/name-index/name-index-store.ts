import { sql } from 'kysely';
import { createStatements, type Sql, type Tx } from '../../foundation/database/index.ts';
import { amongList, listOf } from '../among-store.ts';
import type { DriveTables } from '../drive-tables.ts';
import type { NodeRow } from '../drive.ts';

/** A block of an account without its content. */
export interface BlockHead {
  readonly id: string;
  readonly entries: number;
  /** Highest id of its nodes. */
  readonly newest: string;
  /** True for blocks as changes wrote them: they have no filter. */
  readonly isRaw: boolean;
}

/** A node as the index needs it. */
export type NamedNode = Pick<NodeRow, 'id' | 'account' | 'kind' | 'name'>;

export interface BlockRow {
  readonly account: string;
  readonly id: string;
  readonly entries: number;
  readonly newest: string;
  readonly filter: Uint8Array | null;
  readonly data: Uint8Array;
}

export function createNameIndexStore() {
  const statements = createStatements();
  return {
    async insert(tx: Tx, row: BlockRow): Promise<void> {
      await statements.change(tx, 'insert', { ...row }, (value) =>
        tx.on<DriveTables>().insertInto('name_block').values(value),
      );
    },

    /** Lists all blocks of an account. */
    async heads(at: Sql, account: string): Promise<BlockHead[]> {
      const rows = await statements.rows(at, 'heads', { account }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('name_block')
          .select([
            'id',
            'entries',
            'newest',
            sql<number>`case when filter is null then 1 else 0 end`.as('raw'),
          ])
          .where('account', '=', value.account),
      );
      return rows.map(({ raw, entries, ...row }) => ({
        ...row,
        entries: Number(entries),
        isRaw: Number(raw) === 1,
      }));
    },

    async filters(
      at: Sql,
      account: string,
      ids: readonly string[],
    ): Promise<Pick<BlockRow, 'id' | 'filter'>[]> {
      return statements.rows(at, 'filters', { account, ids: listOf(at, ids) }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('name_block')
          .select(['id', 'filter'])
          .where('account', '=', value.account)
          .where(amongList(at, 'id', value.ids)),
      );
    },

    async data(at: Sql, account: string, ids: readonly string[]): Promise<Pick<BlockRow, 'id' | 'data'>[]> {
      return statements.rows(at, 'data', { account, ids: listOf(at, ids) }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('name_block')
          .select(['id', 'data'])
          .where('account', '=', value.account)
          .where(amongList(at, 'id', value.ids)),
      );
    },

    /** Deletes blocks; returns how many still existed. */
    async remove(tx: Tx, account: string, ids: readonly string[]): Promise<number> {
      return statements.change(tx, 'remove', { account, ids: listOf(tx, ids) }, (value) =>
        tx
          .on<DriveTables>()
          .deleteFrom('name_block')
          .where('account', '=', value.account)
          .where(amongList(tx, 'id', value.ids)),
      );
    },

    /** Lists accounts that have blocks, in order. */
    async accountsAfter(
      at: Sql,
      account: string,
      limit: number,
    ): Promise<{ account: string; entries: number }[]> {
      const rows = await at
        .on<DriveTables>()
        .selectFrom('name_block')
        .select(['account', sql<number>`sum(entries)`.as('entries')])
        .where('account', '>', account)
        .groupBy('account')
        .orderBy('account')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ account: row.account, entries: Number(row.entries) }));
    },

    /** Counts entries whose nodes are gone or have other names. */
    async addStale(tx: Tx, account: string, entries: number): Promise<void> {
      await statements.change(tx, 'add stale', { account, entries }, (value) =>
        tx
          .on<DriveTables>()
          .insertInto('name_stale')
          .values(value)
          .onConflict((conflict) =>
            conflict
              .column('account')
              .doUpdateSet({ entries: sql<number>`name_stale.entries + excluded.entries` }),
          ),
      );
    },

    async stale(at: Sql, account: string): Promise<number> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('name_stale')
        .select('entries')
        .where('account', '=', account)
        .executeTakeFirst();
      return Number(row?.entries ?? 0);
    },

    async forgetStale(tx: Tx, account: string): Promise<void> {
      await tx.on<DriveTables>().deleteFrom('name_stale').where('account', '=', account).execute();
    },

    /** Deletes some of an account's blocks, and its count; returns how many blocks. */
    async erase(tx: Tx, account: string, limit: number): Promise<number> {
      const some = tx
        .on<DriveTables>()
        .selectFrom('name_block')
        .select('id')
        .where('account', '=', account)
        .limit(limit);
      const [{ numDeletedRows } = { numDeletedRows: 0n }] = await tx
        .on<DriveTables>()
        .deleteFrom('name_block')
        .where('account', '=', account)
        .where('id', 'in', some)
        .execute();
      await tx.on<DriveTables>().deleteFrom('name_stale').where('account', '=', account).execute();
      return Number(numDeletedRows);
    },

    /** Returns how far existing nodes are indexed: up to which id, and whether that is all. */
    async filling(at: Sql): Promise<{ version: number; cursor: string; done: boolean }> {
      const row = await at
        .on<DriveTables>()
        .selectFrom('name_filling')
        .select(['version', 'cursor', 'done'])
        .executeTakeFirstOrThrow();
      return { version: Number(row.version), cursor: row.cursor, done: Number(row.done) === 1 };
    },

    async setFilling(tx: Tx, filling: { version: number; cursor: string; done: 0 | 1 }): Promise<void> {
      await tx.on<DriveTables>().updateTable('name_filling').set(filling).execute();
    },

    async removeAll(tx: Tx): Promise<void> {
      await tx.on<DriveTables>().deleteFrom('name_block').execute();
    },

    /** Lists nodes of all accounts, or of one, by id. */
    async nodesAfter(at: Sql, id: string, limit: number, account?: string): Promise<NamedNode[]> {
      return at
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'account', 'kind', 'name'])
        .where('id', '>', id)
        .$if(account !== undefined, (query) => query.where('account', '=', account!))
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async nodesById(at: Sql, ids: readonly string[]): Promise<NamedNode[]> {
      return statements.rows(at, 'nodes', { ids: listOf(at, ids) }, (value) =>
        at
          .on<DriveTables>()
          .selectFrom('node')
          .select(['id', 'account', 'kind', 'name'])
          .where(amongList(at, 'id', value.ids)),
      );
    },
  };
}

export type NameIndexStore = ReturnType<typeof createNameIndexStore>;
