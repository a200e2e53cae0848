import type { Selectable } from 'kysely';
import { noteChanged, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { PaymentTables } from './payment-tables.ts';
import { CHECKOUT_FROM, type Checkout, type PaymentRow } from './payment.ts';

const toPayment = (row: Selectable<PaymentTables['order_payment']>): PaymentRow => ({
  id: row.id,
  account: row.account,
  order: row.order_id,
  state: row.state,
  isSettling: Number(row.is_settling) === 1,
  currency: row.currency,
  amount: Number(row.amount),
  receivedAt: Number(row.received_at),
});

const payments = (sql: Sql) => sql.on<PaymentTables>().selectFrom('order_payment').selectAll();

export const paymentStore = {
  /** Notes that an event was received; returns false if it had been. */
  async noteEvent(tx: Tx, id: string, at: number): Promise<boolean> {
    const result = await tx
      .on<PaymentTables>()
      .insertInto('payment_event')
      .values({ id, received_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  async isNoted(sql: Sql, event: string): Promise<boolean> {
    const row = await sql
      .on<PaymentTables>()
      .selectFrom('payment_event')
      .select('id')
      .where('id', '=', event)
      .executeTakeFirst();
    return row !== undefined;
  },

  async forgetEvents(tx: Tx, before: number): Promise<void> {
    await tx.on<PaymentTables>().deleteFrom('payment_event').where('received_at', '<', before).execute();
  },

  async insertCheckout(
    tx: Tx,
    { id, url, expiresAt }: Checkout,
    { order, account, at }: { order: string; account: string; at: number },
  ): Promise<void> {
    tx.changed(account, 'orders');
    await tx
      .on<PaymentTables>()
      .insertInto('order_checkout')
      .values({ id, account, order_id: order, state: 'open', url, created_at: at, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },

  /** Pages of an account on which somebody may still pay, or has paid unnoticed. */
  async unfinished(sql: Sql, account: string): Promise<{ id: string }[]> {
    return sql
      .on<PaymentTables>()
      .selectFrom('order_checkout')
      .select('id')
      .where('account', '=', account)
      .where('state', 'in', ['open', 'pending'])
      .execute();
  },

  /** Notes that unfinished pages are asked about now, and returns their ids. */
  async takeUnasked(
    tx: Tx,
    {
      now,
      askedBefore,
      createdBefore,
      limit,
    }: { now: number; askedBefore: number; createdBefore: number; limit: number },
  ): Promise<string[]> {
    const rows = await tx
      .on<PaymentTables>()
      .selectFrom('order_checkout')
      .select('id')
      .where('state', 'in', ['open', 'pending'])
      .where('asked_at', '<', askedBefore)
      .where('created_at', '<', createdBefore)
      .orderBy('asked_at')
      .limit(limit)
      .execute();
    const all = rows.map(({ id }) => id);
    if (all.length > 0)
      await tx
        .on<PaymentTables>()
        .updateTable('order_checkout')
        .set({ asked_at: now })
        .where('id', 'in', all)
        .execute();
    return all;
  },

  /** Pages of an order, oldest first. */
  async checkouts(sql: Sql, order: string) {
    const rows = await sql
      .on<PaymentTables>()
      .selectFrom('order_checkout')
      .selectAll()
      .where('order_id', '=', order)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(({ id, url, state, expires_at: expiresAt }) => ({
      id,
      url,
      state,
      expiresAt: Number(expiresAt),
    }));
  },

  /** Changes the state of a page if that is possible. */
  async moveCheckout(tx: Tx, id: string, to: keyof typeof CHECKOUT_FROM): Promise<void> {
    const rows = await tx
      .on<PaymentTables>()
      .updateTable('order_checkout')
      .set({ state: to })
      .where('id', '=', id)
      .where('state', 'in', CHECKOUT_FROM[to])
      .returning('account')
      .execute();
    noteChanged(tx, 'orders', rows);
  },

  /** Returns false if the payment is known. */
  async insertPayment(tx: Tx, payment: PaymentRow): Promise<boolean> {
    tx.changed(payment.account, 'orders');
    const result = await tx
      .on<PaymentTables>()
      .insertInto('order_payment')
      .values({
        id: payment.id,
        account: payment.account,
        order_id: payment.order,
        state: payment.state,
        is_settling: payment.isSettling ? 1 : 0,
        currency: payment.currency,
        amount: payment.amount,
        received_at: payment.receivedAt,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  async setSettling(tx: Tx, id: string): Promise<void> {
    await tx
      .on<PaymentTables>()
      .updateTable('order_payment')
      .set({ is_settling: 1 })
      .where('id', '=', id)
      .execute();
  },

  /** Marks a payment as refunded. Returns false if it isn't known, or is marked already. */
  async setRefunded(tx: Tx, id: string): Promise<boolean> {
    const rows = await tx
      .on<PaymentTables>()
      .updateTable('order_payment')
      .set({ state: 'refunded' })
      .where('id', '=', id)
      .where('state', '=', 'paid')
      .returning('account')
      .execute();
    return noteChanged(tx, 'orders', rows) > 0;
  },

  async payment(sql: Sql, id: string): Promise<PaymentRow | undefined> {
    const row = await payments(sql).where('id', '=', id).executeTakeFirst();
    return row && toPayment(row);
  },

  /** Payments of an order, oldest first. */
  async ofOrder(sql: Sql, order: string): Promise<PaymentRow[]> {
    const rows = await payments(sql).where('order_id', '=', order).orderBy('received_at').execute();
    return rows.map(toPayment);
  },

  /** Payments of an account, oldest first. */
  async ofAccount(sql: Sql, account: string): Promise<PaymentRow[]> {
    const rows = await payments(sql).where('account', '=', account).orderBy('received_at').execute();
    return rows.map(toPayment);
  },

  /** Deletes the account's payments, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<PaymentTables>(database, ['order_checkout', 'order_payment'], account, signal),
};
