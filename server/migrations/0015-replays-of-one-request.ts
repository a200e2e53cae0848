import { sql, type Kysely } from 'kysely';

/** A key stands for one request, and is carried out by one process. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "replay" add column "request" text null`.execute(db);
  await sql`alter table "replay" add column "owner" text null`.execute(db);
}
