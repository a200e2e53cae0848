import { sql, type Kysely } from 'kysely';

/** Members who closed their drive for WebDAV; it is open for all others. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  await sql.raw(`create table "dav_closed" ("account" ${text} primary key)`).execute(db);
}
