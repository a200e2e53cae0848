import { sql as expression, type Selectable } from 'kysely';
import { noteChanged, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { RenewalTables } from './renewal-tables.ts';
import type { RenewalRow } from './renewal.ts';

const toRenewal = (row: Selectable<RenewalTables['renewal']>): RenewalRow => ({
  id: row.id,
  account: row.account,
  subscription: row.subscription,
  firstOrder: row.first_order,
  lastOrder: row.last_order,
  plan: row.plan,
  state: row.state,
  nextAt: row.next_at === null ? undefined : Number(row.next_at),
  told: row.told,
  asks: Number(row.asks),
  answered: Number(row.answered),
  askedAt: Number(row.asked_at),
  createdAt: Number(row.created_at),
  endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
});

/** Stripe charges about an hour after the end of a term. */
const CHARGED_AFTER_MS = 2 * 3600 * 1000;

const renewals = (sql: Sql) => sql.on<RenewalTables>().selectFrom('renewal').selectAll();

export const renewalStore = {
  async insert(tx: Tx, row: RenewalRow): Promise<void> {
    tx.changed(row.account, 'orders');
    await tx
      .on<RenewalTables>()
      .insertInto('renewal')
      .values({
        id: row.id,
        account: row.account,
        subscription: row.subscription,
        first_order: row.firstOrder,
        last_order: row.lastOrder,
        plan: row.plan,
        state: row.state,
        next_at: row.nextAt ?? null,
        told: row.told,
        asks: row.asks,
        answered: row.answered,
        asked_at: row.askedAt,
        created_at: row.createdAt,
        ended_at: row.endedAt ?? null,
      })
      .execute();
  },

  async setLastOrder(tx: Tx, id: string, order: string): Promise<void> {
    await tx
      .on<RenewalTables>()
      .updateTable('renewal')
      .set({ last_order: order })
      .where('id', '=', id)
      .execute();
  },

  async setState(
    tx: Tx,
    id: string,
    { state, nextAt, told, answered, endedAt }: Omit<RenewalRow, 'id' | 'account'>,
  ): Promise<void> {
    const rows = await tx
      .on<RenewalTables>()
      .updateTable('renewal')
      .set({ state, next_at: nextAt ?? null, told, answered, ended_at: endedAt ?? null })
      .where('id', '=', id)
      .returning('account')
      .execute();
    noteChanged(tx, 'orders', rows);
  },

  /** Counts a question about the state to the payment service. Returns its number; undefined if there is no such renewal. */
  async ask(tx: Tx, subscription: string, at: number): Promise<number | undefined> {
    const row = await tx
      .on<RenewalTables>()
      .updateTable('renewal')
      .set({ asks: expression<number>`asks + 1`, asked_at: at })
      .where('subscription', '=', subscription)
      .returning('asks')
      .executeTakeFirst();
    return row && Number(row.asks);
  },

  async find(sql: Sql, account: string, id: string): Promise<RenewalRow | undefined> {
    const row = await renewals(sql).where('account', '=', account).where('id', '=', id).executeTakeFirst();
    return row && toRenewal(row);
  },

  async bySubscription(sql: Sql, subscription: string): Promise<RenewalRow | undefined> {
    const row = await renewals(sql).where('subscription', '=', subscription).executeTakeFirst();
    return row && toRenewal(row);
  },

  async byId(sql: Sql, id: string): Promise<RenewalRow | undefined> {
    const row = await renewals(sql).where('id', '=', id).executeTakeFirst();
    return row && toRenewal(row);
  },

  /** Renewals of an account, newest first. */
  async ofAccount(sql: Sql, account: string): Promise<RenewalRow[]> {
    const rows = await renewals(sql)
      .where('account', '=', account)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toRenewal);
  },

  /**
   * Renewals of all accounts that haven't ended and were last asked about before a time, or before they should have been
   * charged; the earliest first.
   */
  async toAsk(
    sql: Sql,
    { before, now, limit }: { before: number; now: number; limit: number },
  ): Promise<RenewalRow[]> {
    const rows = await renewals(sql)
      .where('ended_at', 'is', null)
      .where((where) =>
        where.or([
          where('asked_at', '<', before),
          where.and([
            where('next_at', '<', now - CHARGED_AFTER_MS),
            where('asked_at', '<', now - CHARGED_AFTER_MS),
          ]),
        ]),
      )
      .orderBy('asked_at')
      .limit(limit)
      .execute();
    return rows.map(toRenewal);
  },

  /** Renewals of all accounts, oldest first, after the one with the given id. */
  async page(sql: Sql, after: string, limit: number): Promise<RenewalRow[]> {
    const rows = await renewals(sql).where('id', '>', after).orderBy('id').limit(limit).execute();
    return rows.map(toRenewal);
  },

  /** Deletes the account's renewals, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<RenewalTables>(database, ['renewal'], account, signal),
};
