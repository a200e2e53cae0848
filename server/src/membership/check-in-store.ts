import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { MembershipTables } from './membership-tables.ts';

export const checkInStore = {
  /** Returns false if the day exists already. */
  async add(tx: Tx, account: string, day: string): Promise<boolean> {
    const result = await tx
      .on<MembershipTables>()
      .insertInto('check_in')
      .values({ account, day })
      .onConflict((conflict) => conflict.columns(['account', 'day']).doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Days in a range, both ends included, oldest first. */
  async within(sql: Sql, account: string, first: string, last: string): Promise<string[]> {
    const rows = await sql
      .on<MembershipTables>()
      .selectFrom('check_in')
      .select('day')
      .where('account', '=', account)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .orderBy('day')
      .execute();
    return rows.map(({ day }) => day);
  },

  /** All days, oldest first. */
  async all(sql: Sql, account: string): Promise<string[]> {
    const rows = await sql
      .on<MembershipTables>()
      .selectFrom('check_in')
      .select('day')
      .where('account', '=', account)
      .orderBy('day')
      .execute();
    return rows.map(({ day }) => day);
  },

  /** Newest days up to a given one, newest first. */
  async upTo(sql: Sql, account: string, last: string, limit: number): Promise<string[]> {
    const rows = await sql
      .on<MembershipTables>()
      .selectFrom('check_in')
      .select('day')
      .where('account', '=', account)
      .where('day', '<=', last)
      .orderBy('day', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ day }) => day);
  },

  async count(sql: Sql, account: string): Promise<number> {
    const { count } = await sql
      .on<MembershipTables>()
      .selectFrom('check_in')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /** Deletes the account's check-ins, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<MembershipTables>(database, ['check_in'], account, signal),
};
