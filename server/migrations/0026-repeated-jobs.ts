import type { Kysely } from 'kysely';

/** When a running job must run again, because it was requested once more in the meantime. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('again_at', 'bigint').execute();
}
