import type { Kysely } from 'kysely';

/** Number of changes to an account's tree, for requests that ask whether anything has changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tree_version')
    .addColumn('account', 'text', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
}
