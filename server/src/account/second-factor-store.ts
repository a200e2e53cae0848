import type { Sql } from '../foundation/database/index.ts';
import type { AccountTables } from './account-tables.ts';

export function createSecondFactorStore() {
  return {
    async isOn(sql: Sql, account: string): Promise<boolean> {
      const row = await sql
        .on<AccountTables>()
        .selectFrom('second_factor')
        .select('account')
        .where('account', '=', account)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
