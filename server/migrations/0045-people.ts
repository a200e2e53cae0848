import { sql, type Kysely } from 'kysely';

/**
 * Access of members to nodes of others. `account` is the member, `owner` the account of the node; `accepted_at` is null
 * until the member accepts. Acts are what members did in trees of others, `account` being the owner. `actor` of a
 * version or an upload is the member who made it, null if that was the owner. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "access_grant" (
    "id" ${text} primary key,
    "node" ${text} not null,
    "owner" ${text} not null,
    "account" ${text} not null,
    "role" ${text} not null,
    "muted" bigint not null default 0,
    "granted_by" ${text} not null,
    "created_at" bigint not null,
    "accepted_at" bigint,
    "updated_at" bigint not null
  )`);
  await run(`create unique index "access_grant_node" on "access_grant" (node, account)`);
  await run(`create index "access_grant_account" on "access_grant" (account, id)`);
  await run(`create index "access_grant_owner" on "access_grant" (owner, account)`);

  await run(`create table "act" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "actor" ${text} not null,
    "node" ${text} not null,
    "verb" ${text} not null,
    "name" ${text} not null,
    "folder" ${text} not null,
    "created_at" bigint not null
  )`);
  await run(`create index "act_node" on "act" (node, id)`);
  await run(`create index "act_folder" on "act" (folder, id)`);
  await run(`create index "act_account" on "act" (account, id)`);
  await run(`create index "act_actor" on "act" (actor)`);

  await run(`alter table "version" add column "actor" ${text}`);
  await run(`alter table "upload" add column "actor" ${text}`);
}
