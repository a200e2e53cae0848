import { sql, type Kysely } from 'kysely';

/**
 * Members' own notes about their files: tags and the items that have them; colors, emoji and notes; pinned folders.
 * `name_fold` and `note_fold` are texts as they are searched. All rows of an item go with it. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run(`create table "tag" (
    "id" ${text} primary key,
    "account" ${text} not null,
    "name" ${text} not null,
    "name_fold" ${text} not null,
    "color" ${text} not null,
    "created_at" bigint not null
  )`);
  await run(`create unique index "tag_name" on "tag" (account, name_fold)`);

  await run(`create table "tagged" (
    "account" ${text} not null,
    "tag" ${text} not null,
    "node" ${text} not null,
    primary key (account, tag, node)
  )`);
  await run(`create index "tagged_node" on "tagged" (node)`);

  await run(`create table "annotation" (
    "node" ${text} primary key,
    "account" ${text} not null,
    "color" ${text} not null default '',
    "emoji" ${text} not null default '',
    "note" ${text} not null default '',
    "note_fold" ${text} not null default '',
    "noted_at" bigint not null default 0
  )`);
  await run(`create index "annotation_account" on "annotation" (account, node)`);

  await run(`create table "pin" (
    "node" ${text} primary key,
    "account" ${text} not null,
    "name" ${text} not null default '',
    "place" bigint not null
  )`);
  await run(`create index "pin_account" on "pin" (account, place)`);
}
