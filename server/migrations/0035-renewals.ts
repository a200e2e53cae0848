import { sql, type Kysely } from 'kysely';

/**
 * Renewals of plans by the payment service. Each paid term is an order of its own, with the service's invoice.
 * `payment_ending` has what must still be ended at the service; it survives the account. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`alter table "member_order" add column "renews" bigint not null default 0`);
  await run(`alter table "member_order" add column "renewal" ${text} not null default ''`);
  await run(`alter table "member_order" add column "invoice" ${text}`);
  await run(
    `create unique index "member_order_invoice" on "member_order" (invoice) where invoice is not null`,
  );
  await run(`alter table "order_checkout" add column "asked_at" bigint not null default 0`);
  await run(`create index "order_checkout_asked" on "order_checkout" (state, asked_at)`);
  await run(`create table "renewal" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "subscription" ${text} not null,
    "first_order" ${text} not null,
    "last_order" ${text} not null,
    "plan" ${text} not null,
    "state" ${text} not null,
    "next_at" bigint,
    "told" ${text} not null,
    "asks" bigint not null,
    "answered" bigint not null,
    "asked_at" bigint not null,
    "created_at" bigint not null,
    "ended_at" bigint
  )`);
  await run(`create unique index "renewal_subscription" on "renewal" (subscription)`);
  await run(`create index "renewal_account" on "renewal" (account)`);
  await run(`create index "renewal_asked" on "renewal" (asked_at) where ended_at is null`);
  await run(`create table "payment_ending" (
    "id" ${text} primary key,
    "kind" ${text} not null,
    "tries" bigint not null,
    "due_at" bigint not null
  )`);
  await run(`create index "payment_ending_due" on "payment_ending" (due_at)`);
}
