import { sql, type Kysely } from 'kysely';

/**
 * Browsers that get notifications by Web Push, each with the session that it belongs to. `endpoint_hash` is unique: a
 * browser has one subscription. `p256dh` and `auth` are the browser's keys, in base64url. `with_names` is 1 if
 * notifications may contain names of files. Times are milliseconds.
 *
 * `reserved` of an upload are the bytes that it has reserved; null if that is its whole size.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "push_device" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "session" ${text} not null,
    "endpoint" ${text} not null,
    "endpoint_hash" ${text} not null unique,
    "p256dh" ${text} not null,
    "auth" ${text} not null,
    "name" ${text} not null,
    "locale" ${text} not null,
    "with_names" bigint not null default 0,
    "created_at" bigint not null,
    "sent_at" bigint
  )`);
  await run(`create index "push_device_account" on "push_device" (account, id)`);
  await run(`alter table "upload" add column "reserved" bigint`);
}
