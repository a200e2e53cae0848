import { sql, type Kysely } from 'kysely';

/**
 * Activation codes, in batches that grant the same. Lengths and times are milliseconds. A code is stored as its digest;
 * its letters follow from the id of its batch, its number and the installation's secret.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "activation_batch" (
    "id" ${text} primary key,
    "created_at" bigint not null,
    "count" integer not null,
    "kind" ${text} not null,
    "plan" ${text} not null,
    "bytes" bigint not null,
    "length" bigint not null,
    "uses" integer not null,
    "audience" ${text} not null,
    "note" text not null,
    "starts_at" bigint not null,
    "ends_at" bigint
  )`);
  await run(`create table "activation_code" (
    "digest" ${text} primary key,
    "batch" ${text} not null,
    "number" integer not null,
    "uses_left" integer not null check ("uses_left" >= 0)
  )`);
  await run(`create unique index "activation_code_number" on "activation_code" (batch, number)`);
}
