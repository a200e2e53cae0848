import { sql, type Kysely } from 'kysely';

/**
 * Orders of plans and storage. They contain what was ordered and its price, so that later changes of the catalog have
 * no effect on them. Amounts are in the currency's smallest unit; lengths and times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "member_order" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "reference" ${text} not null,
    "state" ${text} not null,
    "product" ${text} not null,
    "term" ${text} not null,
    "kind" ${text} not null,
    "name" ${text} not null,
    "plan" ${text} not null,
    "bytes" bigint not null,
    "months" bigint not null,
    "days" bigint not null,
    "length" bigint not null,
    "currency" ${text} not null,
    "amount" bigint not null,
    "created_at" bigint not null,
    "expires_at" bigint not null,
    "paid_at" bigint,
    "ended_at" bigint
  )`);
  await run(`create unique index "member_order_reference" on "member_order" (reference)`);
  await run(`create index "member_order_account" on "member_order" (account, created_at, id)`);
  await run(`create index "member_order_state" on "member_order" (state, expires_at)`);
}
