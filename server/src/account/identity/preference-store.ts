import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { PreferenceTables } from './preference-tables.ts';

export function createPreferenceStore() {
  return {
    async all(sql: Sql, account: string): Promise<Map<string, string>> {
      const rows = await sql
        .on<PreferenceTables>()
        .selectFrom('preference')
        .select(['name', 'value'])
        .where('account', '=', account)
        .execute();
      return new Map(rows.map(({ name, value }) => [name, value]));
    },

    async set(tx: Tx, account: string, name: string, value: string): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<PreferenceTables>()
        .insertInto('preference')
        .values({ account, name, value })
        .onConflict((conflict) => conflict.columns(['account', 'name']).doUpdateSet({ value }))
        .execute();
    },

    /** Deletes the account's preferences, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<PreferenceTables>(database, ['preference'], account, signal),
  };
}

export type PreferenceStore = ReturnType<typeof createPreferenceStore>;
