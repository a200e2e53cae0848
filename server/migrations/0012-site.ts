import { sql, type Kysely } from 'kysely';

/** What visitors write to the operator, and on which days members checked in. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "contact_message" (
    "id" ${text} primary key,
    "topic" ${text} not null,
    "email" ${text} not null,
    "message" ${text} not null,
    "link" ${text} not null,
    "account" ${text},
    "locale" ${text} not null,
    "created_at" bigint not null
  )`);
  await run(`create index "contact_message_created" on "contact_message" (created_at)`);

  // Days of UTC, as in 2026-11-28.
  await run(`create table "check_in" (
    "account" ${text} not null,
    "day" ${text} not null,
    primary key ("account", "day")
  )`);
}
