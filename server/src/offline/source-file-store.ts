import type { FetchFailure } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { jsonOrNull, type Sql, type Tx } from '../foundation/database/index.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceFileRow } from './offline.ts';
import { failureFrom } from './source-failure.ts';

const ROWS_AT_ONCE = 500;

function fileFrom(row: Selectable<OfflineTables['source_file']>): SourceFileRow {
  return {
    position: row.position,
    path: JSON.parse(row.path) as string[],
    size: row.size ?? undefined,
    received: row.received,
    state: row.state,
    failure: failureFrom(row.failure),
    hash: row.hash ?? undefined,
  };
}

export interface FileChange {
  readonly state?: SourceFileRow['state'];
  readonly failure?: FetchFailure | null;
  readonly hash?: string | null;
  readonly received?: number;
  readonly size?: number | null;
}

/** Files of sources, each with the number of bytes received. */
export function createSourceFileStore() {
  const on = (sql: Sql) => sql.on<OfflineTables>();

  return {
    async add(
      tx: Tx,
      source: string,
      files: readonly { index: number; path: readonly string[]; size: number | null }[],
    ): Promise<void> {
      for (let at = 0; at < files.length; at += ROWS_AT_ONCE) {
        await on(tx)
          .insertInto('source_file')
          .values(
            files.slice(at, at + ROWS_AT_ONCE).map(({ index, path, size }) => ({
              source,
              position: index,
              path: JSON.stringify(path),
              size,
              received: 0,
              state: 'waiting',
              failure: null,
              hash: null,
            })),
          )
          .onConflict((conflict) => conflict.columns(['source', 'position']).doNothing())
          .execute();
      }
    },

    async clear(tx: Tx, source: string): Promise<void> {
      await on(tx).deleteFrom('source_file').where('source', '=', source).execute();
    },

    async list(sql: Sql, source: string): Promise<SourceFileRow[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .orderBy('position')
        .execute();
      return rows.map(fileFrom);
    },

    /** Returns files after a position, in the source's order. */
    async after(sql: Sql, source: string, after: number, limit: number): Promise<SourceFileRow[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(fileFrom);
    },

    async at(sql: Sql, source: string, positions: readonly number[]): Promise<SourceFileRow[]> {
      if (positions.length === 0) return [];
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .where('position', 'in', positions)
        .orderBy('position')
        .execute();
      return rows.map(fileFrom);
    },

    async update(tx: Tx, source: string, position: number, change: FileChange): Promise<void> {
      const { failure, ...columns } = change;
      await on(tx)
        .updateTable('source_file')
        .set({ ...columns, ...(failure === undefined ? {} : { failure: jsonOrNull(failure) }) })
        .where('source', '=', source)
        .where('position', '=', position)
        .execute();
    },

    /** Changes the state of all files in a state, or only of those at the given positions. */
    async turn(
      tx: Tx,
      source: string,
      from: SourceFileRow['state'],
      to: { state: SourceFileRow['state']; failure?: FetchFailure | undefined },
      positions?: readonly number[],
    ): Promise<void> {
      const turnSome = async (some?: readonly number[]): Promise<void> => {
        let query = on(tx)
          .updateTable('source_file')
          .set({ state: to.state, failure: jsonOrNull(to.failure) })
          .where('source', '=', source)
          .where('state', '=', from);
        if (some) query = query.where('position', 'in', some);
        await query.execute();
      };
      if (!positions) return turnSome();
      for (let at = 0; at < positions.length; at += ROWS_AT_ONCE)
        await turnSome(positions.slice(at, at + ROWS_AT_ONCE));
    },
  };
}

export type SourceFileStore = ReturnType<typeof createSourceFileStore>;
