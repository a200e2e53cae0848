import { sql } from 'kysely';
import type { Tx } from '../foundation/database/index.ts';

const AT_ONCE = 1000;

/**
 * Deletes some rows whose node was deleted permanently, or with a time before `before` (milliseconds) in a column.
 * Returns true if more may be left.
 */
export async function removeForgotten(
  tx: Tx,
  table: 'event' | 'recent' | 'access_grant',
  old?: { readonly column: string; readonly before: number },
): Promise<boolean> {
  const isOld = old ? sql<boolean>`${sql.ref(old.column)} < ${old.before} or` : sql``;
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where id in (
    select id from ${sql.table(table)}
    where ${isOld} not exists (select 1 from node where node.id = ${sql.ref(`${table}.node`)})
    limit ${AT_ONCE}
  )`.execute(tx.on());
  return Number(numAffectedRows) === AT_ONCE;
}
