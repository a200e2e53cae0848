import type { FetchFailure } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceFileRow, FetchRequestRow } from './offline.ts';

function fromRow(row: Selectable<OfflineTables['offline']>): FetchRequestRow {
  return {
    task: row.task,
    account: row.account,
    source: row.source,
    parent: row.parent,
    selection: row.selection === null ? undefined : new Set(JSON.parse(row.selection) as number[]),
    root: row.root ?? undefined,
    reserved: row.reserved,
    active: row.active === 1,
    paused: row.paused === 1,
    priority: row.priority,
    startAt: row.start_at,
  };
}

export type FetchRequestChange = Partial<
  Pick<OfflineTables['offline'], 'source' | 'root' | 'reserved' | 'priority'>
> & { readonly active?: boolean; readonly paused?: boolean };

/** Stores the fetch requests of members, their delivered files and the counters of each day. */
export function createFetchRequestStore() {
  const on = (sql: Sql) => sql.on<OfflineTables>();
  return {
    /** Deletes the account's fetch requests and daily counts, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<OfflineTables>(database, ['offline', 'offline_day'], account, signal),

    async insert(tx: Tx, request: Omit<FetchRequestRow, 'root'>, now: number): Promise<void> {
      await on(tx)
        .insertInto('offline')
        .values({
          task: request.task,
          account: request.account,
          source: request.source,
          parent: request.parent,
          selection: request.selection ? JSON.stringify([...request.selection]) : null,
          root: null,
          reserved: request.reserved,
          active: Number(request.active),
          paused: Number(request.paused),
          priority: request.priority,
          start_at: request.startAt,
          created_at: now,
        })
        .execute();
    },

    async find(sql: Sql, task: string): Promise<FetchRequestRow | undefined> {
      const row = await on(sql).selectFrom('offline').selectAll().where('task', '=', task).executeTakeFirst();
      return row && fromRow(row);
    },

    /** Returns the active requests for a source, without paused, finished and scheduled ones. */
    async active(sql: Sql, source: string, now: number): Promise<FetchRequestRow[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .selectAll()
        .where('source', '=', source)
        .where('active', '=', 1)
        .where('start_at', '<=', now)
        .orderBy('created_at')
        .execute();
      return rows.map(fromRow);
    },

    /** Returns the active requests for a source, including those with a later start. */
    async activeOrScheduled(sql: Sql, source: string): Promise<FetchRequestRow[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .selectAll()
        .where('source', '=', source)
        .where('active', '=', 1)
        .orderBy('created_at')
        .execute();
      return rows.map(fromRow);
    },

    /** Returns whether any request for a source is open, active or paused. */
    async isRequested(sql: Sql, source: string): Promise<boolean> {
      const row = await on(sql)
        .selectFrom('offline')
        .select('task')
        .where('source', '=', source)
        .where((where) => where.or([where('active', '=', 1), where('paused', '=', 1)]))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns the tasks of an account with active requests. */
    async activeTasks(sql: Sql, account: string): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('offline')
        .select('task')
        .where('account', '=', account)
        .where('active', '=', 1)
        .execute();
      return rows.map(({ task }) => task);
    },

    async countOpen(sql: Sql, account: string): Promise<number> {
      const { count } = await on(sql)
        .selectFrom('offline')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where((where) => where.or([where('active', '=', 1), where('paused', '=', 1)]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Returns requested sources that are neither queued nor being fetched. */
    async stranded(sql: Sql, limit: number): Promise<{ source: string; priority: number }[]> {
      return on(sql)
        .selectFrom('offline')
        .innerJoin('source', 'source.id', 'offline.source')
        .select(['offline.source', ({ fn }) => fn.min<number>('offline.priority').as('priority')])
        .where('offline.active', '=', 1)
        .where('source.state', '=', 'idle')
        .groupBy('offline.source')
        .limit(limit)
        .execute();
    },

    async update(tx: Tx, task: string, { active, paused, ...columns }: FetchRequestChange): Promise<void> {
      await on(tx)
        .updateTable('offline')
        .set({
          ...columns,
          ...(active === undefined ? {} : { active: Number(active) }),
          ...(paused === undefined ? {} : { paused: Number(paused) }),
        })
        .where('task', '=', task)
        .execute();
    },

    /** Returns the reserved bytes by account, of one or of all. */
    async reserved(sql: Sql, account?: string): Promise<Map<string, number>> {
      const all = on(sql)
        .selectFrom('offline')
        .select(['account', ({ fn }) => fn.sum<number>('reserved').as('bytes')])
        .where('reserved', '>', 0)
        .groupBy('account');
      const rows = await (account === undefined ? all : all.where('account', '=', account)).execute();
      return new Map(rows.map((row) => [row.account, Number(row.bytes)]));
    },

    async delivered(sql: Sql, task: string): Promise<Map<number, string>> {
      const rows = await on(sql)
        .selectFrom('offline_file')
        .select(['position', 'node'])
        .where('task', '=', task)
        .execute();
      return new Map(rows.map(({ position, node }) => [position, node]));
    },

    /** Returns kept files of a request's source that are not delivered yet, in order, after a position. */
    async undelivered(
      sql: Sql,
      { task, source }: Pick<FetchRequestRow, 'task' | 'source'>,
      after: number,
      limit: number,
    ): Promise<{ position: number; path: string[]; hash: string; size: number }[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .select(['position', 'path', 'hash', 'size'])
        .where('source', '=', source)
        .where('state', '=', 'kept')
        .where('position', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('offline_file')
                .select('node')
                .where('offline_file.task', '=', task)
                .whereRef('offline_file.position', '=', 'source_file.position'),
            ),
          ),
        )
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(({ position, path, hash, size }) => ({
        position,
        path: JSON.parse(path) as string[],
        hash: hash!,
        size: size!,
      }));
    },

    /** Returns the states and failures of all files of a source. */
    async states(
      sql: Sql,
      source: string,
    ): Promise<{ position: number; state: SourceFileRow['state']; failure: FetchFailure | undefined }[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .select(['position', 'state', 'failure'])
        .where('source', '=', source)
        .orderBy('position')
        .execute();
      return rows.map(({ position, state, failure }) => ({
        position,
        state,
        failure: failure === null ? undefined : (JSON.parse(failure) as FetchFailure),
      }));
    },

    async deliver(tx: Tx, task: string, position: number, node: string): Promise<void> {
      await on(tx).insertInto('offline_file').values({ task, position, node }).execute();
    },

    /** Counts one task of a day. Returns false if the limit `most` is reached already. */
    async countTask(tx: Tx, account: string, day: string, most: number): Promise<boolean> {
      if (most === 0) return false;
      const result = await on(tx)
        .insertInto('offline_day')
        .values({ account, day, tasks: 1, bytes: 0 })
        .onConflict((conflict) => {
          const update = conflict
            .columns(['account', 'day'])
            .doUpdateSet(({ ref, eb }) => ({ tasks: eb(ref('offline_day.tasks'), '+', 1) }));
          return most === Infinity ? update : update.where('offline_day.tasks', '<', most);
        })
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async countBytes(tx: Tx, account: string, day: string, bytes: number): Promise<void> {
      await on(tx)
        .insertInto('offline_day')
        .values({ account, day, tasks: 0, bytes })
        .onConflict((conflict) =>
          conflict
            .columns(['account', 'day'])
            .doUpdateSet(({ ref, eb }) => ({ bytes: eb(ref('offline_day.bytes'), '+', bytes) })),
        )
        .execute();
    },

    async day(sql: Sql, account: string, day: string): Promise<{ tasks: number; bytes: number }> {
      const row = await on(sql)
        .selectFrom('offline_day')
        .select(['tasks', 'bytes'])
        .where('account', '=', account)
        .where('day', '=', day)
        .executeTakeFirst();
      return row ?? { tasks: 0, bytes: 0 };
    },

    /** Returns the accounts that fetched at least this many bytes in a day, and how many. */
    async above(sql: Sql, day: string, bytes: number): Promise<Map<string, number>> {
      const rows = await on(sql)
        .selectFrom('offline_day')
        .select(['account', 'bytes'])
        .where('day', '=', day)
        .where('bytes', '>=', bytes)
        .execute();
      return new Map(rows.map((row) => [row.account, Number(row.bytes)]));
    },

    async forgetDays(tx: Tx, before: string): Promise<void> {
      await on(tx).deleteFrom('offline_day').where('day', '<', before).execute();
    },
  };
}

export type FetchRequestStore = ReturnType<typeof createFetchRequestStore>;
