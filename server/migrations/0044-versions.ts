import { sql, type Kysely } from 'kysely';

/**
 * Earlier contents of files: bytes that a file had before they were replaced. `blob` is the number of the bytes' row,
 * `modified_at` the date of the content, `how` the way in which it was replaced. Rows go with their file. Times are
 * milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "version" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "node" ${text} not null,
    "blob" bigint not null references "blob" (id),
    "size" bigint not null,
    "modified_at" bigint not null,
    "replaced_at" bigint not null,
    "how" ${text} not null,
    "label" ${text} not null default '',
    "kept" bigint not null default 0
  )`);
  await run(`create index "version_node" on "version" (node, id)`);
  await run(`create index "version_account" on "version" (account, replaced_at)`);
  await run(`create index "version_blob" on "version" (blob)`);
}
