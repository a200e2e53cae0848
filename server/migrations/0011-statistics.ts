import { sql, type Kysely } from 'kysely';

/** What visitors did, counted by the day; nothing in it belongs to a person. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  await sql
    .raw(
      `create table "happening" ("day" ${text} not null, "name" ${text} not null, "detail" ${text} not null,
        "count" bigint not null, primary key ("day", "name", "detail"))`,
    )
    .execute(db);
}
