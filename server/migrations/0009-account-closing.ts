import { sql, type Kysely } from 'kysely';

/** Accounts that their owners close, with time to think it over, and copies of what is kept of a member. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // When the account goes for good; null while nobody closes it.
  await run(`alter table "account" add column "closes_at" bigint null`);
  // Whether its owner was told that it goes soon.
  await run(`alter table "account" add column "closing_reminded" bigint not null default 0`);
  await run(`create index "account_closing" on "account" (closes_at) where closes_at is not null`);

  await run(`create table "takeout" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "state" ${text} not null,
    "progress" bigint not null,
    "locale" ${text} not null,
    "store_key" ${text} null,
    "size" bigint null,
    "created_at" bigint not null,
    "expires_at" bigint null
  )`);
  await run(`create index "takeout_account" on "takeout" (account, id)`);
  await run(`create unique index "takeout_making" on "takeout" (account) where state = 'making'`);
  await run(`create index "takeout_age" on "takeout" (expires_at) where expires_at is not null`);
}
