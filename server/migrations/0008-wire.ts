import { sql, type Kysely } from 'kysely';

/** What clients of the protocol ask beside files: what happened lately, choices, transfers, invitations. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // `played` stands before the time, so that what came and what was played are an index range each.
  await run(`create table "event" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "played" int not null,
    "type" ${text} not null,
    "node" ${text} not null,
    "params" ${text} not null,
    "progress" int not null,
    "created_at" bigint not null,
    "updated_at" bigint not null
  )`);
  await run(`create index "event_recent" on "event" (account, played, updated_at, id)`);
  await run(`create unique index "event_play" on "event" (account, node) where played = 1`);
  await run(`create index "event_node" on "event" (node)`);

  await run(`create table "preference" (
    "account" ${text} not null,
    "name" ${text} not null,
    "value" ${text} not null,
    primary key ("account", "name")
  )`);

  // Bytes that a member moved in a month, by kind: upload, download, offline.
  await run(`create table "transfer" (
    "account" ${text} not null,
    "month" ${text} not null,
    "kind" ${text} not null,
    "bytes" bigint not null,
    primary key ("account", "month", "kind")
  )`);

  await run(`create table "invite_code" (
    "account" ${text} primary key,
    "code" ${text} not null
  )`);
  await run(`create unique index "invite_code_code" on "invite_code" (code)`);
}
