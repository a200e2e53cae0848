import { matchLocale } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { noteChanged, type Sql, type Tx } from '../foundation/database/index.ts';
import type { TakeoutTables } from './takeout-tables.ts';
import type { TakeoutRow } from './takeout.ts';

type Columns = TakeoutTables['takeout'];

const fromRow = (row: Selectable<Columns>): TakeoutRow => ({
  id: row.id,
  account: row.account,
  state: row.state,
  progress: row.progress,
  locale: matchLocale(row.locale) ?? 'en-US',
  storeKey: row.store_key ?? undefined,
  size: row.size ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
});

export function createTakeoutStore() {
  const takeouts = (sql: Sql) => sql.on<TakeoutTables>().selectFrom('takeout').selectAll();
  return {
    /** Throws the database's unique violation if a copy of the account is being created already. */
    async insert(
      tx: Tx,
      { id, account, locale, createdAt }: Omit<TakeoutRow, 'storeKey' | 'size' | 'expiresAt'>,
    ) {
      tx.changed(account, 'takeouts');
      await tx
        .on<TakeoutTables>()
        .insertInto('takeout')
        .values({
          id,
          account,
          state: 'making',
          progress: 0,
          locale,
          store_key: null,
          size: null,
          created_at: createdAt,
          expires_at: null,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<TakeoutRow | undefined> {
      const row = await takeouts(sql).where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    /** Newest first. */
    async list(sql: Sql, account: string): Promise<TakeoutRow[]> {
      const rows = await takeouts(sql).where('account', '=', account).orderBy('id', 'desc').execute();
      return rows.map(fromRow);
    },

    /** Changes a copy that is being created; returns false if it no longer is. */
    async make(tx: Tx, id: string, change: Partial<Columns>): Promise<boolean> {
      const rows = await tx
        .on<TakeoutTables>()
        .updateTable('takeout')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', 'making')
        .returning('account')
        .execute();
      return noteChanged(tx, 'takeouts', rows) > 0;
    },

    async expired(sql: Sql, now: number, limit: number): Promise<TakeoutRow[]> {
      return (await takeouts(sql).where('expires_at', '<=', now).limit(limit).execute()).map(fromRow);
    },

    async remove(tx: Tx, id: string): Promise<void> {
      const rows = await tx
        .on<TakeoutTables>()
        .deleteFrom('takeout')
        .where('id', '=', id)
        .returning('account')
        .execute();
      noteChanged(tx, 'takeouts', rows);
    },
  };
}

export type TakeoutStore = ReturnType<typeof createTakeoutStore>;
