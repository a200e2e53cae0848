import { sql, type Kysely } from 'kysely';

/** What WebDAV clients leave with files: locks, properties of their own, checksums. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // A node is a node's id, or the account's for its root.
  await run(`create table "dav_lock" (
    "token" ${text} primary key,
    "account" ${text} not null,
    "node" ${text} not null,
    "exclusive" int not null,
    "deep" int not null,
    "owner" ${text} not null,
    "seconds" bigint not null,
    "expires_at" bigint not null
  )`);
  await run(`create index "dav_lock_account" on "dav_lock" (account, expires_at)`);
  await run(`create index "dav_lock_end" on "dav_lock" (expires_at)`);

  await run(`create table "dav_property" (
    "node" ${text} not null,
    "namespace" ${text} not null,
    "name" ${text} not null,
    "account" ${text} not null,
    "xml" ${text} not null,
    primary key ("node", "namespace", "name")
  )`);
  await run(`create index "dav_property_account" on "dav_property" (account)`);

  // Of content, whoever has it: what a client said, and what was found to be so.
  await run(`create table "dav_checksum" (
    "content" ${text} not null,
    "algorithm" ${text} not null,
    "value" ${text} not null,
    primary key ("content", "algorithm")
  )`);
}
