import { createStatements, type Sql, type Tx } from '../foundation/database/index.ts';
import type { ShieldTables } from './shield-tables.ts';
import type { Count } from './shield.ts';

export function createShieldStore() {
  const statements = createStatements();
  return {
    async find(sql: Sql, keys: readonly string[]): Promise<Map<string, Count>> {
      const rows = await sql
        .on<ShieldTables>()
        .selectFrom('throttle')
        .selectAll()
        .where('key', 'in', keys)
        .execute();
      return new Map(
        rows.map((row) => [
          row.key,
          { failures: row.failures, blockedUntil: row.blocked_until, forgetAt: row.forget_at },
        ]),
      );
    },

    async put(tx: Tx, key: string, count: Count): Promise<void> {
      const columns = {
        failures: count.failures,
        blocked_until: count.blockedUntil,
        forget_at: count.forgetAt,
      };
      await tx
        .on<ShieldTables>()
        .insertInto('throttle')
        .values({ key, ...columns })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
        .execute();
    },

    async remove(tx: Tx, key: string): Promise<void> {
      await tx.on<ShieldTables>().deleteFrom('throttle').where('key', '=', key).execute();
    },

    /** Marks an id as spent; returns false if it was spent already. */
    async spend(tx: Tx, id: string, expiresAt: number): Promise<boolean> {
      const result = await tx
        .on<ShieldTables>()
        .insertInto('captcha_spent')
        .values({ id, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async isSpent(sql: Sql, id: string): Promise<boolean> {
      const rows = await statements.rows(sql, 'spent', { id }, (value) =>
        sql.on<ShieldTables>().selectFrom('captcha_spent').select('id').where('id', '=', value.id),
      );
      return rows.length > 0;
    },

    async removeForgotten(tx: Tx, now: number): Promise<void> {
      await tx.on<ShieldTables>().deleteFrom('throttle').where('forget_at', '<=', now).execute();
      await tx.on<ShieldTables>().deleteFrom('captcha_spent').where('expires_at', '<=', now).execute();
    },
  };
}

export type ShieldStore = ReturnType<typeof createShieldStore>;
