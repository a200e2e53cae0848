import type { Sql, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { SiteTables } from './site-tables.ts';

/** Persistent facts about the installation, by name. */
export interface Settings {
  get(sql: Sql, name: string): Promise<string | undefined>;
  set(tx: Tx, name: string, value: string): Promise<void>;
  /** Sets a missing value; returns the current value, whoever set it. */
  propose(tx: Tx, name: string, value: string): Promise<string>;
  /** Removes a setting; returns true for exactly one of parallel callers. */
  take(tx: Tx, name: string): Promise<boolean>;
}

export function createSettings({ clock }: { clock: Clock }): Settings {
  const settings: Settings = {
    async get(sql, name) {
      const row = await sql
        .on<SiteTables>()
        .selectFrom('setting')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.value;
    },

    async set(tx, name, value) {
      const columns = { value, updated_at: clock.now() };
      await tx
        .on<SiteTables>()
        .insertInto('setting')
        .values({ name, ...columns })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
        .execute();
    },

    async propose(tx, name, value) {
      await tx
        .on<SiteTables>()
        .insertInto('setting')
        .values({ name, value, updated_at: clock.now() })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      return (await settings.get(tx, name))!;
    },

    async take(tx, name) {
      const result = await tx
        .on<SiteTables>()
        .deleteFrom('setting')
        .where('name', '=', name)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
  return settings;
}
