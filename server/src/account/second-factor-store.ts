import type { Sql, Tx } from '../foundation/database/index.ts';
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

    async forgetDevices(tx: Tx, account: string): Promise<void> {
      await tx.on<AccountTables>().deleteFrom('trusted_device').where('account', '=', account).execute();
    },
  };
}

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
