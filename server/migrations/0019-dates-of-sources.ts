import { sql, type Kysely } from 'kysely';

/** The date that the files of a source bear: its Last-Modified, or when its torrent was made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table "source" add column "modified_at" bigint').execute(db);
}
