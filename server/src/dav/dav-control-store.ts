import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { DavTables } from './dav-tables.ts';

/** WebDAV is on for a drive unless its owner has turned it off. */
export function createDavControlStore() {
  return {
    async isClosed(sql: Sql, account: string): Promise<boolean> {
      const row = await sql
        .on<DavTables>()
        .selectFrom('dav_closed')
        .select('account')
        .where('account', '=', account)
        .executeTakeFirst();
      return row !== undefined;
    },
    async close(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<DavTables>()
        .insertInto('dav_closed')
        .values({ account })
        .onConflict((conflict) => conflict.column('account').doNothing())
        .execute();
    },
    async open(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'account');
      await tx.on<DavTables>().deleteFrom('dav_closed').where('account', '=', account).execute();
    },

    /** Deletes the account's switches, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DavTables>(database, ['dav_closed'], account, signal),
  };
}

export type DavControlStore = ReturnType<typeof createDavControlStore>;
