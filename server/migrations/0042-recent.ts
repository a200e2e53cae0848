import { sql, type Kysely } from 'kysely';

/**
 * Events of files that the protocol doesn't have: opened, edited, shared, extracted. A file has one row for each
 * kind. Entries that were removed from Recent are kept for a day as JSON, so that this can be undone. Times are
 * milliseconds since the epoch.
 *
 * The protocol's events are read by their types: rare ones are found among many others.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "recent" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "kind" ${text} not null,
    "node" ${text} not null,
    "at" bigint not null
  )`);
  await run(`create unique index "recent_node" on "recent" (node, kind)`);
  await run(`create index "recent_newest" on "recent" (account, at, id)`);

  await run(`create table "recent_removal" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "at" bigint not null,
    "entries" ${text} not null
  )`);
  await run(`create index "recent_removal_account" on "recent_removal" (account, at)`);

  await run(`create index "event_newest" on "event" (account, type, updated_at, id)`);
  await run(`drop index "event_recent"`);
}
