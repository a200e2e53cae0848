import { sql, type Kysely } from 'kysely';

/**
 * Online payments of orders. `order_checkout` has the pages of the payment service on which an order can be paid,
 * `order_payment` the payments that arrived, and `payment_event` the service's events that were processed, so that each
 * has its effect once. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "order_checkout" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "order_id" ${text} not null,
    "state" ${text} not null,
    "url" ${text} not null,
    "created_at" bigint not null,
    "expires_at" bigint not null
  )`);
  await run(`create index "order_checkout_order" on "order_checkout" (order_id)`);
  await run(`create index "order_checkout_account" on "order_checkout" (account)`);
  await run(`create table "order_payment" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "order_id" ${text} not null,
    "state" ${text} not null,
    "is_settling" bigint not null,
    "currency" ${text} not null,
    "amount" bigint not null,
    "received_at" bigint not null
  )`);
  await run(`create index "order_payment_order" on "order_payment" (order_id)`);
  await run(`create index "order_payment_account" on "order_payment" (account)`);
  await run(`create table "payment_event" (
    "id" ${text} primary key,
    "received_at" bigint not null
  )`);
  await run(`create index "payment_event_received" on "payment_event" (received_at)`);
}
