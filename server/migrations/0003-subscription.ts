import { sql, type Kysely } from 'kysely';

/** Feeds and links that are fetched by themselves. Times are milliseconds since the epoch, sizes bytes, flags 0 or 1. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "subscription" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "kind" ${text} not null,
    "url" ${text} not null,
    "revision" bigint not null,
    "name" ${text} not null,
    "parent" ${text} null,
    "every_minutes" bigint not null,
    "filters" ${text} not null,
    "active" int not null,
    "take_existing" int not null,
    "begun" int not null,
    "validator" ${text} null,
    "version" ${text} null,
    "failures" bigint not null,
    "failure" ${text} null,
    "last_run_at" bigint null,
    "next_run_at" bigint not null,
    "running_since" bigint null,
    "removed_at" bigint null,
    "created_at" bigint not null,
    "updated_at" bigint not null
  )`);
  await run(`create index "subscription_account" on "subscription" (account, id)`);
  await run(
    `create index "subscription_due" on "subscription" (next_run_at) where active = 1 and removed_at is null`,
  );
  await run(
    `create index "subscription_removed" on "subscription" (removed_at) where removed_at is not null`,
  );
  await run(
    `create index "subscription_running" on "subscription" (running_since) where running_since is not null`,
  );
  await run(`create table "subscription_item" (
    "subscription" ${text} not null references subscription (id) on delete cascade,
    "key" ${text} not null,
    "title" ${text} not null,
    "url" ${text} null,
    "size" bigint null,
    "published_at" bigint null,
    "found_at" bigint not null,
    "place" bigint not null,
    "state" ${text} not null,
    "task" ${text} null,
    "failure" ${text} null,
    primary key ("subscription", "key")
  )`);
  await run(`create index "subscription_item_place" on "subscription_item" (subscription, place, key)`);
  await run(`create index "subscription_item_state" on "subscription_item" (subscription, state, place)`);
}
