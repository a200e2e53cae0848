import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const SLICE = 500;

/**
 * Deletes all rows of a table that have a value in a column, a slice at a time, so that other queries do not wait long.
 * Returns the number of rows deleted. Not durable: callers must repeat the deletion after a power cut.
 */
export async function removeRows(
  database: Database,
  table: string,
  where: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const place = sql.raw(database.dialect === 'postgres' ? 'ctid' : 'rowid');
  const [[column, value]] = Object.entries(where) as [[string, string]];
  let removed = 0;
  for (;;) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await database.transaction(
      (tx) =>
        sql`delete from ${sql.table(table)} where ${place} in (
          select ${place} from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${SLICE}
        )`.execute(tx.on()),
      { durable: false },
    );
    removed += Number(numAffectedRows);
    if (Number(numAffectedRows) < SLICE) return removed;
    await yieldToEventLoop();
  }
}
