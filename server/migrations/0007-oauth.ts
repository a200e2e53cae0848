import { sql, type Kysely } from 'kysely';

/** Apps that members let in, and accounts elsewhere with which they come in. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const account = `"account" ${text} not null references account (id) on delete cascade`;
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // What an app was let in for ends with the consent; null for sessions of people and app passwords.
  await run(`alter table "session" add column "app" ${text} null`);
  await run(`create index "session_app" on "session" (app) where app is not null`);

  // RSA keys of tokens for apps; the private half is encrypted.
  await run(`create table "signing_key" (
    "kid" ${text} primary key,
    "private" ${text} not null,
    "created_at" bigint not null
  )`);

  // Programs that made themselves known; those of the operator stand in the settings. Lists are JSON.
  await run(`create table "oauth_client" (
    "id" ${text} primary key,
    "secret_hash" ${text} null,
    "name" ${text} not null,
    "uri" ${text} not null,
    "redirect_uris" ${text} not null,
    "grant_types" ${text} not null,
    "scopes" ${text} not null,
    "created_at" bigint not null,
    "used_at" bigint null
  )`);
  await run(`create index "oauth_client_unused" on "oauth_client" (created_at) where used_at is null`);

  await run(`create table "oauth_consent" (
    "id" ${text} primary key,
    ${account},
    "client" ${text} not null,
    "scopes" ${text} not null,
    "created_at" bigint not null,
    "used_at" bigint null,
    unique (account, client)
  )`);

  // A code is kept for a while after it was used: whoever brings it again ends what it gave.
  await run(`create table "oauth_code" (
    "hash" ${text} primary key,
    ${account},
    "client" ${text} not null,
    "consent" ${text} null,
    "redirect_uri" ${text} not null,
    "challenge" ${text} null,
    "nonce" ${text} null,
    "scopes" ${text} not null,
    "authenticated_at" bigint not null,
    "created_at" bigint not null,
    "expires_at" bigint not null,
    "used_at" bigint null,
    "session" ${text} null
  )`);
  await run(`create index "oauth_code_end" on "oauth_code" (expires_at)`);

  await run(`create table "oauth_device" (
    "hash" ${text} primary key,
    "user_code" ${text} not null unique,
    "client" ${text} not null,
    "scopes" ${text} not null,
    "state" ${text} not null,
    "account" ${text} null references account (id) on delete cascade,
    "consent" ${text} null,
    "authenticated_at" bigint null,
    "decided_at" bigint null,
    "interval_ms" bigint not null,
    "polled_at" bigint null,
    "created_at" bigint not null,
    "expires_at" bigint not null
  )`);
  await run(`create index "oauth_device_end" on "oauth_device" (expires_at)`);

  await run(`create table "external_identity" (
    "id" ${text} primary key,
    "issuer" ${text} not null,
    "subject" ${text} not null,
    ${account},
    "email" ${text} not null,
    "created_at" bigint not null,
    "used_at" bigint null,
    unique (issuer, subject)
  )`);
  await run(`create index "external_identity_account" on "external_identity" (account)`);
}
