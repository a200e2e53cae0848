import type { Kysely } from 'kysely';

/** When an operator marked a message as done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact_message').addColumn('handled_at', 'bigint').execute();
}
