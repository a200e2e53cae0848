import { sql, type Kysely } from 'kysely';

/**
 * Members read their ledger by cause, newest first. An index with the cause in front of the id answers that, whichever
 * causes are selected, and everything that the former one answered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db);
  await run(`drop index if exists "ledger_account"`);
  await run(`drop index if exists "ledger_by_cause"`);
  await run(`create index "ledger_by_cause" on "ledger" (account, resource, reason, id)`);
}
