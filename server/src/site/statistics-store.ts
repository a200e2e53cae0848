import type { Sql, Tx } from '../foundation/database/index.ts';
import type { SiteTables } from './site-tables.ts';

export type Count = SiteTables['happening'];

export const statisticsStore = {
  async add(tx: Tx, { count, ...of }: Count): Promise<void> {
    await tx
      .on<SiteTables>()
      .insertInto('happening')
      .values({ ...of, count })
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'name', 'detail'])
          .doUpdateSet((row) => ({ count: row('happening.count', '+', count) })),
      )
      .execute();
  },

  /** Returns the details of a name that a day has so far. */
  async details(sql: Sql, day: string, name: string): Promise<ReadonlySet<string>> {
    const rows = await sql
      .on<SiteTables>()
      .selectFrom('happening')
      .select('detail')
      .where('day', '=', day)
      .where('name', '=', name)
      .execute();
    return new Set(rows.map(({ detail }) => detail));
  },

  /** Counts since a day, newest first. */
  async since(sql: Sql, day: string): Promise<Count[]> {
    const rows = await sql
      .on<SiteTables>()
      .selectFrom('happening')
      .selectAll()
      .where('day', '>=', day)
      .orderBy('day', 'desc')
      .orderBy('name')
      .orderBy('count', 'desc')
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },
};
