import { sql, type Kysely } from 'kysely';

/**
 * Invoices and credit notes. `invoice` contains nothing about the buyer and is never deleted; `invoice_buyer` has that,
 * and is erased with the account. The numbers come from `invoice_counter`, in the transaction that adds the row, so that
 * there are no gaps. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "invoice" (
    "number" bigint primary key,
    "code" ${text} not null,
    "kind" ${text} not null,
    "reference" ${text} not null,
    "issued_at" bigint not null,
    "currency" ${text} not null,
    "amount" bigint not null,
    "content" ${text} not null
  )`);
  // An order has one invoice and one credit note.
  await run(`create unique index "invoice_reference" on "invoice" (reference, kind)`);
  await run(`create table "invoice_buyer" (
    "invoice" bigint primary key,
    "account" ${text} not null,
    "order_id" ${text} not null,
    "name" ${text} not null,
    "contact" ${text} not null
  )`);
  await run(`create index "invoice_buyer_account" on "invoice_buyer" (account)`);
  await run(`create table "invoice_counter" (
    "id" ${text} primary key,
    "last" bigint not null
  )`);
  await run(`insert into "invoice_counter" ("id", "last") values ('invoice', 0)`);
}
