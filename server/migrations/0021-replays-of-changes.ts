import { sql, type Kysely } from 'kysely';

/** Whether anything was committed under a key. Null in claims of servers that don't note it: nobody knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "replay" add column "changed" bigint null`.execute(db);
}
