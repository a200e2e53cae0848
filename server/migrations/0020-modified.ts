import { sql, type Kysely } from 'kysely';

/** The years 1 to 9999 in milliseconds since 1970. */
const FIRST = -62_135_596_800_000;
const LAST = 253_402_300_799_999;

/**
 * A node has one date, that of its content. Before, renames and moves gave it a second one, by which lists were ordered.
 * Dates that no client can read become the day on which the file came.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);

  await run('drop index "node_by_modified"');
  await run('alter table "node" drop column "modified_at"');
  await run('alter table "node" rename column "user_modified_at" to "modified_at"');
  await run(
    `update "node" set modified_at = created_at where modified_at < ${FIRST} or modified_at > ${LAST}`,
  );
  await run(
    'create index "node_by_modified" on "node" (parent, kind, modified_at, id) where trashed_at is null',
  );
  await run('alter table "upload" rename column "user_modified_at" to "modified_at"');
  await run(`update "upload" set modified_at = null where modified_at < ${FIRST} or modified_at > ${LAST}`);
}
