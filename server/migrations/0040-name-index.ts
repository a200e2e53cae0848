import { sql, type Kysely } from 'kysely';

/**
 * The index by which names are searched: blocks of entries (docs/formats.md), the number of an account's entries that
 * are outdated, and how far nodes that exist already are indexed, which a job does in slices.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const isPostgres = dialect === 'postgres';
  const text = isPostgres ? 'text collate "C"' : 'text';
  const bytes = isPostgres ? 'bytea' : 'blob';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  // Stored by its key: a change adds a block, which is then one write instead of two.
  await run(`create table "name_block" (
    "account" ${text} not null, "id" ${text} not null, "entries" bigint not null, "newest" ${text} not null,
    "filter" ${bytes}, "data" ${bytes} not null, primary key ("account", "id")
  )${isPostgres ? '' : ' without rowid'}`);
  await run(`create table "name_stale" ("account" ${text} not null primary key, "entries" bigint not null)`);
  await run(
    `create table "name_filling" ("version" bigint not null, "cursor" ${text} not null, "done" bigint not null)`,
  );
  await run(`insert into "name_filling" ("version", "cursor", "done")
    values (1, '', case when exists (select 1 from "node") then 0 else 1 end)`);
}
