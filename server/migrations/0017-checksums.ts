import { sql, type Kysely } from 'kysely';

/**
 * The checksums by which other programs compare files, of the bytes as a whole. Those of content that is there already
 * are filled in by a job; the index finds what is still without.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);
  await run(`alter table "blob" add column "sha1" ${text}`);
  await run(`alter table "blob" add column "md5" ${text}`);
  await run(`create index "blob_unsummed" on "blob" (id) where md5 is null`);
}
