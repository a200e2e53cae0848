import { sql, type Kysely } from 'kysely';

/**
 * Invitations that led to a new account, and keyed hashes by which persons, devices and networks of new accounts are
 * recognized for a time. `account` is the invited person's, `holder` the hash of an account. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "invitation" (
    "account" ${text} primary key,
    "id" ${text} not null,
    "inviter" ${text} not null,
    "state" ${text} not null,
    "days" bigint not null,
    "created_at" bigint not null,
    "settled_at" bigint
  )`);
  await run(`create index "invitation_inviter" on "invitation" (inviter, id)`);
  await run(`create index "invitation_waiting" on "invitation" (id) where state = 'waiting'`);

  await run(`create table "newcomer_trace" (
    "kind" ${text} not null,
    "hash" ${text} not null,
    "holder" ${text} not null,
    "at" bigint not null,
    primary key ("kind", "hash", "holder")
  )`);
  await run(`create index "newcomer_trace_at" on "newcomer_trace" (kind, at)`);
}
