import { sql, type Kysely } from 'kysely';

/** Checksums that clients stated are known of all content now, whoever brought it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`drop table "dav_checksum"`).execute(db);
}
