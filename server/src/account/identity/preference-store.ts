import type { Sql, Tx } from '../../foundation/database/index.ts';
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
      await tx
        .on<PreferenceTables>()
        .insertInto('preference')
        .values({ account, name, value })
        .onConflict((conflict) => conflict.columns(['account', 'name']).doUpdateSet({ value }))
        .execute();
    },
  };
}

export type PreferenceStore = ReturnType<typeof createPreferenceStore>;
