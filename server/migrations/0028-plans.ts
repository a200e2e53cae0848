import { sql, type Kysely } from 'kysely';

/**
 * Grants of plans and storage. Lengths and times are milliseconds; a length of null does not end. The limit of an
 * account follows from its grants, and `limit_own` replaces the storage of the free plan for it.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "benefit" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "kind" ${text} not null,
    "plan" ${text} not null,
    "bytes" bigint not null,
    "length" bigint,
    "cause" ${text} not null,
    "reference" ${text} not null,
    "granted_at" bigint not null,
    "revoked_at" bigint,
    "starts_at" bigint not null,
    "ends_at" bigint
  )`);
  // A cause grants once, however often and from however many processes it is sent.
  await run(`create unique index "benefit_cause" on "benefit" (account, cause, reference)`);

  await run(`alter table "quota" add column "limit_own" bigint`);
  await run(`alter table "quota" add column "limit_basis" ${text}`);
  await run(`alter table "quota" add column "limit_computed_at" bigint`);
  await run(`alter table "quota" add column "limit_changes_at" bigint`);
  await run(`create index "quota_limit_changes" on "quota" (limit_changes_at)`);
  // Limits that were set for one account, and those of a default that has changed since, stay as they are. Those that
  // equal the free plan's are recognized when the limit is computed for the first time.
  await run(`update "quota" set limit_own = storage_limit`);
}
