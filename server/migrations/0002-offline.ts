import { sql, type Kysely } from 'kysely';

/** What members have fetched for them. Times are milliseconds since the epoch, sizes bytes, flags 0 or 1. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // One for each thing that can be fetched, whoever asks for it.
  await run(`create table "source" (
    "id" ${text} primary key,
    "key" ${text} not null unique,
    "kind" ${text} not null,
    "spec" ${text} not null,
    "state" ${text} not null,
    "generation" bigint not null,
    "name" ${text} null,
    "size" bigint null,
    "file_count" bigint null,
    "validator" ${text} null,
    "resume" ${text} null,
    "failure" ${text} null,
    "looked_at" bigint null,
    "leads_to" ${text} null,
    "attempts" bigint not null,
    "priority" bigint not null,
    "queued_at" bigint null,
    "not_before" bigint not null,
    "lease_owner" ${text} null,
    "lease_until" bigint null,
    "created_at" bigint not null,
    "updated_at" bigint not null
  )`);
  await run(`create index "source_due" on "source" (state, priority, queued_at)`);
  await run(`create index "source_age" on "source" (updated_at) where state = 'idle'`);
  await run(`create table "source_file" (
    "source" ${text} not null references source (id) on delete cascade,
    "position" bigint not null,
    "path" ${text} not null,
    "size" bigint null,
    "received" bigint not null,
    "state" ${text} not null,
    "failure" ${text} null,
    "hash" ${text} null,
    primary key ("source", "position")
  )`);

  // A member's wish for a source: one for each task of theirs.
  await run(`create table "offline" (
    "task" ${text} primary key references task (id) on delete cascade,
    "account" ${text} not null,
    "source" ${text} not null references source (id),
    "parent" ${text} not null,
    "selection" ${text} null,
    "root" ${text} null,
    "reserved" bigint not null,
    "active" int not null,
    "paused" int not null,
    "priority" bigint not null,
    "start_at" bigint not null,
    "created_at" bigint not null
  )`);
  await run(`create index "offline_source" on "offline" (source, active)`);
  await run(`create index "offline_account" on "offline" (account, active)`);
  // Which of a task's files are in the drive already, and as what.
  await run(`create table "offline_file" (
    "task" ${text} not null references offline (task) on delete cascade,
    "position" bigint not null,
    "node" ${text} not null,
    primary key ("task", "position")
  )`);
  await run(`create table "offline_day" (
    "account" ${text} not null,
    "day" ${text} not null,
    "tasks" bigint not null,
    "bytes" bigint not null,
    primary key ("account", "day")
  )`);
}
