import { sql, type Kysely } from 'kysely';

/** Pictures of members are looked up by their address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create index "account_picture" on "account" (picture) where picture <> ''`).execute(db);
}
