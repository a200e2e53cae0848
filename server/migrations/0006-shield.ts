import { sql, type Kysely } from 'kysely';

/** Captcha tokens and challenges that were used up, until they would have ended. Times are milliseconds since the epoch. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "captcha_spent" (
    "id" ${text} primary key,
    "expires_at" bigint not null
  )`);
  await run(`create index "captcha_spent_end" on "captcha_spent" (expires_at)`);
}
