import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

// Only stores import this file, so that all deletions of a table's rows are next to its other queries.

const SLICE = 500;

/** Names of the tables that have a column `account`. */
export type TablesOfAccount<Tables> = {
  [Table in keyof Tables]: Tables[Table] extends { account: unknown } ? Table : never;
}[keyof Tables] &
  string;

/**
 * Deletes all rows of a table that have a value in a column, a slice at a time, so that other queries do not wait long.
 * Returns the number of rows deleted. Not durable: callers must repeat the deletion after a power cut.
 */
export function removeRows<Tables, Table extends keyof Tables & string>(
  database: Database,
  table: Table,
  where: Readonly<Partial<Record<keyof Tables[Table] & string, string>>>,
  signal: AbortSignal,
): Promise<number> {
  return removeFrom(database, table, where as Record<string, string>, signal);
}

/** Deletes the rows of an account from several tables, one after the other, as {@link removeRows} does. */
export async function removeRowsOfAccount<Tables>(
  database: Database,
  tables: readonly TablesOfAccount<Tables>[],
  account: string,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const table of tables) removed += await removeFrom(database, table, { account }, signal);
  return removed;
}

async function removeFrom(
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
