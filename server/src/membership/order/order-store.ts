import type { LocalText, OrderState } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { noteChanged, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { OrderTables } from './order-tables.ts';
import { FROM, type OrderRow } from './order.ts';

const toOrder = (row: Selectable<OrderTables['member_order']>): OrderRow => ({
  id: row.id,
  account: row.account,
  reference: row.reference,
  state: row.state,
  product: row.product,
  term: row.term,
  kind: row.kind,
  name: JSON.parse(row.name) as LocalText,
  plan: row.plan,
  bytes: Number(row.bytes),
  months: Number(row.months),
  days: Number(row.days),
  length: Number(row.length),
  currency: row.currency,
  amount: Number(row.amount),
  renews: Number(row.renews) === 1,
  renewal: row.renewal,
  invoice: row.invoice ?? undefined,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  paidAt: row.paid_at === null ? undefined : Number(row.paid_at),
  endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
});

const orders = (sql: Sql) => sql.on<OrderTables>().selectFrom('member_order').selectAll();

export const orderStore = {
  /** Returns false if another order has the reference or the invoice. */
  async insert(tx: Tx, order: OrderRow): Promise<boolean> {
    tx.changed(order.account, 'orders');
    const result = await tx
      .on<OrderTables>()
      .insertInto('member_order')
      .values({
        id: order.id,
        account: order.account,
        reference: order.reference,
        state: order.state,
        product: order.product,
        term: order.term,
        kind: order.kind,
        name: JSON.stringify(order.name),
        plan: order.plan,
        bytes: order.bytes,
        months: order.months,
        days: order.days,
        length: order.length,
        currency: order.currency,
        amount: order.amount,
        renews: order.renews ? 1 : 0,
        renewal: order.renewal,
        invoice: order.invoice ?? null,
        created_at: order.createdAt,
        expires_at: order.expiresAt,
        paid_at: order.paidAt ?? null,
        ended_at: order.endedAt ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  async byInvoice(sql: Sql, invoice: string): Promise<OrderRow | undefined> {
    const row = await orders(sql).where('invoice', '=', invoice).executeTakeFirst();
    return row && toOrder(row);
  },

  /** Notes by which renewal and invoice an order is paid, and the amount that was charged. Returns false if it was paid by another one. */
  async setRenewal(
    tx: Tx,
    id: string,
    { renewal, invoice, amount }: { renewal: string; invoice: string; amount: number },
  ): Promise<boolean> {
    const rows = await tx
      .on<OrderTables>()
      .updateTable('member_order')
      .set({ renewal, invoice, amount })
      .where('id', '=', id)
      .where('invoice', 'is', null)
      .where('state', 'in', FROM.paid)
      .returning('account')
      .execute();
    return noteChanged(tx, 'orders', rows) > 0;
  },

  async find(sql: Sql, account: string, id: string): Promise<OrderRow | undefined> {
    const row = await orders(sql).where('account', '=', account).where('id', '=', id).executeTakeFirst();
    return row && toOrder(row);
  },

  async byId(sql: Sql, id: string): Promise<OrderRow | undefined> {
    const row = await orders(sql).where('id', '=', id).executeTakeFirst();
    return row && toOrder(row);
  },

  async byReference(sql: Sql, reference: string): Promise<OrderRow | undefined> {
    const row = await orders(sql).where('reference', '=', reference).executeTakeFirst();
    return row && toOrder(row);
  },

  /** Returns true if the account has paid another order before, even if that was refunded. */
  async hasPaidBefore(sql: Sql, { account, id }: { account: string; id: string }): Promise<boolean> {
    const row = await sql
      .on<OrderTables>()
      .selectFrom('member_order')
      .select('id')
      .where('account', '=', account)
      .where('id', '<>', id)
      .where('paid_at', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Orders of an account that can still be paid in time. */
  async open(sql: Sql, account: string, now: number): Promise<OrderRow[]> {
    const rows = await orders(sql)
      .where('account', '=', account)
      .where('state', '=', 'open')
      .where('expires_at', '>', now)
      .execute();
    return rows.map(toOrder);
  },

  /** Newest orders of an account, newest first; all without a limit. */
  async ofAccount(sql: Sql, account: string, limit?: number): Promise<OrderRow[]> {
    const all = orders(sql)
      .where('account', '=', account)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    return (await (limit === undefined ? all : all.limit(limit)).execute()).map(toOrder);
  },

  /** Orders of all accounts in some states, oldest first, after the given one. */
  async page(
    sql: Sql,
    { states, after, limit }: { states: readonly OrderState[]; after: string; limit: number },
  ): Promise<OrderRow[]> {
    const rows = await orders(sql)
      .where('state', 'in', states)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(toOrder);
  },

  /** Orders of all accounts, in one state if it is given, newest first, before the given one. */
  async newest(
    sql: Sql,
    { state, before, limit }: { state?: OrderState; before?: string; limit: number },
  ): Promise<OrderRow[]> {
    const rows = await orders(sql)
      .$if(state !== undefined, (query) => query.where('state', '=', state!))
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toOrder);
  },

  /** Changes the state in one statement; returns false if the order is not in a state that allows it. */
  async move(tx: Tx, id: string, to: keyof typeof FROM, at: number): Promise<boolean> {
    const rows = await tx
      .on<OrderTables>()
      .updateTable('member_order')
      .set(to === 'paid' ? { state: to, paid_at: at, ended_at: null } : { state: to, ended_at: at })
      .where('id', '=', id)
      .where('state', 'in', FROM[to])
      .returning('account')
      .execute();
    return noteChanged(tx, 'orders', rows) > 0;
  },

  /** Ends all open orders that were not paid in time. */
  async expire(tx: Tx, now: number): Promise<void> {
    const rows = await tx
      .on<OrderTables>()
      .updateTable('member_order')
      .set(({ ref }) => ({ state: 'expired', ended_at: ref('expires_at') }))
      .where('state', '=', 'open')
      .where('expires_at', '<=', now)
      .returning('account')
      .execute();
    noteChanged(tx, 'orders', rows);
  },

  /** Deletes the account's orders, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<OrderTables>(database, ['member_order'], account, signal),
};
