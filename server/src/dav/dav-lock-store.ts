import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { DavTables } from './dav-tables.ts';
import type { LockRow } from './dav.ts';

const fromRow = (row: Selectable<DavTables['dav_lock']>): LockRow => ({
  token: row.token,
  account: row.account,
  node: row.node,
  exclusive: row.exclusive === 1,
  deep: row.deep === 1,
  owner: row.owner,
  seconds: row.seconds,
  expiresAt: row.expires_at,
});

export function createLockStore() {
  return {
    async insert(tx: Tx, lock: LockRow): Promise<void> {
      await tx
        .on<DavTables>()
        .insertInto('dav_lock')
        .values({
          token: lock.token,
          account: lock.account,
          node: lock.node,
          exclusive: Number(lock.exclusive),
          deep: Number(lock.deep),
          owner: lock.owner,
          seconds: lock.seconds,
          expires_at: lock.expiresAt,
        })
        .execute();
    },

    /** Unexpired locks of an account. */
    async live(sql: Sql, account: string, now: number): Promise<LockRow[]> {
      const rows = await sql
        .on<DavTables>()
        .selectFrom('dav_lock')
        .selectAll()
        .where('account', '=', account)
        .where('expires_at', '>', now)
        .orderBy('expires_at')
        .execute();
      return rows.map(fromRow);
    },

    async extend(tx: Tx, token: string, seconds: number, expiresAt: number): Promise<void> {
      await tx
        .on<DavTables>()
        .updateTable('dav_lock')
        .set({ seconds, expires_at: expiresAt })
        .where('token', '=', token)
        .execute();
    },

    async remove(tx: Tx, tokens: readonly string[]): Promise<void> {
      if (tokens.length === 0) return;
      await tx.on<DavTables>().deleteFrom('dav_lock').where('token', 'in', tokens).execute();
    },

    async removeOver(tx: Tx, now: number): Promise<void> {
      await tx.on<DavTables>().deleteFrom('dav_lock').where('expires_at', '<=', now).execute();
    },

    /** Deletes the account's locks, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DavTables>(database, ['dav_lock'], account, signal),
  };
}

export type LockStore = ReturnType<typeof createLockStore>;
