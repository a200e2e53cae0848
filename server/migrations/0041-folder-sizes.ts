import { sql, type Kysely } from 'kysely';

/**
 * Folders have the bytes, files and folders below them; `size` of folders was always 0 before. They are summed here,
 * from the deepest folders up: each level reads the sums of the one below.
 */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run('alter table "node" add column "file_count" bigint not null default 0');
  await run('alter table "node" add column "folder_count" bigint not null default 0');

  await run(
    `create temporary table "folder_level" (id text ${dialect === 'postgres' ? 'collate "C" ' : ''}primary key, level bigint not null)`,
  );
  await run(`
    insert into folder_level
    with recursive down (id, level) as (
      select id, 0 from node where kind = 0 and (parent = account or trashed_at is not null or parent like '!%')
      union all
      select node.id, down.level + 1 from down join node on node.parent = down.id
      where node.kind = 0 and node.trashed_at is null
    )
    select id, level from down`);
  await run('create index "folder_level_level" on "folder_level" (level)');
  const { rows } = await sql<{
    deepest: number | null;
  }>`select max(level) as deepest from folder_level`.execute(db);
  for (let level = Number(rows[0]?.deepest ?? -1); level >= 0; level--)
    await run(`
      update node set
        size = coalesce((select sum(size) from node as child where child.parent = node.id and child.trashed_at is null), 0),
        file_count = (select count(*) from node as child where child.parent = node.id and child.kind = 1 and child.trashed_at is null)
          + coalesce((select sum(file_count) from node as child where child.parent = node.id and child.kind = 0 and child.trashed_at is null), 0),
        folder_count = coalesce((select sum(1 + folder_count) from node as child where child.parent = node.id and child.kind = 0 and child.trashed_at is null), 0)
      where id in (select id from folder_level where level = ${level})`);
  await run('drop table "folder_level"');
}
