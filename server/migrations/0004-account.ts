import { sql, type Kysely } from 'kysely';

/** What makes accounts safe, and lets programs in. Times are milliseconds since the epoch, flags 0 or 1. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const account = `"account" ${text} not null references account (id) on delete cascade`;
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // Whether a sign-in from somewhere new is told by mail.
  await run(`alter table "account" add column "new_device_mail" bigint not null default 1`);

  await run(`create index "verification_token" on "verification" (token_hash) where token_hash is not null`);

  // A program signs in with one of these instead of its owner's password: an app password, or an access token.
  await run(`create table "pass" (
    "id" ${text} primary key,
    ${account},
    "kind" ${text} not null,
    "name" ${text} not null,
    "secret_hash" ${text} not null unique,
    "scopes" ${text} not null,
    "created_at" bigint not null,
    "expires_at" bigint null,
    "used_at" bigint null,
    "used_from" ${text} not null
  )`);
  await run(`create index "pass_account" on "pass" (account, id)`);
  // A session that an app password opened is good for no more than it, and for no longer. Null: for everything.
  await run(`alter table "session" add column "scopes" ${text} null`);
  await run(`alter table "session" add column "pass" ${text} null`);
  await run(`create index "session_pass" on "session" (pass) where pass is not null`);

  await run(`create table "second_factor" (
    "account" ${text} primary key references account (id) on delete cascade,
    "secret" ${text} not null,
    "last_step" bigint not null,
    "created_at" bigint not null,
    "confirmed_at" bigint null
  )`);
  await run(`create table "recovery_code" (
    ${account},
    "hash" ${text} not null,
    "used_at" bigint null,
    primary key (account, hash)
  )`);
  // A browser that need not be asked for the second factor for a while.
  await run(`create table "trusted_device" (
    "id" ${text} primary key,
    ${account},
    "secret_hash" ${text} not null unique,
    "user_agent" ${text} not null,
    "created_at" bigint not null,
    "expires_at" bigint not null
  )`);
  await run(`create index "trusted_device_account" on "trusted_device" (account)`);

  await run(`create table "passkey" (
    "id" ${text} primary key,
    ${account},
    "name" ${text} not null,
    "public_key" ${text} not null,
    "counter" bigint not null,
    "transports" ${text} not null,
    "created_at" bigint not null,
    "used_at" bigint null
  )`);
  await run(`create index "passkey_account" on "passkey" (account)`);
  // What was asked of an authenticator: answered once, soon, or never.
  await run(`create table "challenge" (
    "id" ${text} primary key,
    "purpose" ${text} not null,
    "account" ${text} null references account (id) on delete cascade,
    "value" ${text} not null,
    "expires_at" bigint not null
  )`);
  await run(`create index "challenge_age" on "challenge" (expires_at)`);

  // Who came in, or tried to, for the owner to see.
  await run(`create table "sign_in" (
    "id" ${text} primary key,
    ${account},
    "way" ${text} not null,
    "outcome" ${text} not null,
    "address" ${text} not null,
    "user_agent" ${text} not null,
    "client_id" ${text} not null,
    "at" bigint not null
  )`);
  await run(`create index "sign_in_account" on "sign_in" (account, id)`);
  await run(`create index "sign_in_age" on "sign_in" (at)`);
  await run(`create table "known_device" (
    ${account},
    "key" ${text} not null,
    "seen_at" bigint not null,
    primary key (account, key)
  )`);
}
