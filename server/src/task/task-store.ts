import type { Phase, TaskType } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { beyond, type Place, type Sql, type Tx } from '../foundation/database/index.ts';
import type { TaskTables } from './task-tables.ts';
import type { TaskRow } from './task.ts';

type Columns = TaskTables['task'];

function fromRow(row: Selectable<Columns>): TaskRow {
  return {
    id: row.id,
    account: row.account,
    type: row.type as TaskType,
    phase: row.phase as Phase,
    progress: row.progress,
    name: row.name,
    fileId: row.file_id,
    fileName: row.file_name,
    fileSize: row.file_size,
    message: row.message,
    error: row.error ?? undefined,
    params: JSON.parse(row.params) as Record<string, string>,
    state: JSON.parse(row.state) as unknown,
    cancelled: row.cancelled_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function createTaskStore() {
  return {
    /** Returns false if the account has a task with the same request key already. */
    async insert(tx: Tx, row: Columns): Promise<boolean> {
      const result = await tx
        .on<TaskTables>()
        .insertInto('task')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['account', 'request_key']).where('request_key', 'is not', null).doNothing(),
        )
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async update(tx: Tx, id: string, change: Partial<Columns>): Promise<void> {
      await tx.on<TaskTables>().updateTable('task').set(change).where('id', '=', id).execute();
    },

    async find(sql: Sql, id: string): Promise<TaskRow | undefined> {
      const row = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async byRequest(sql: Sql, account: string, requestKey: string): Promise<TaskRow | undefined> {
      const row = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('account', '=', account)
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Newest first. */
    async list(
      sql: Sql,
      account: string,
      filter: {
        type: string | undefined;
        phases: readonly string[] | undefined;
        place: Place | undefined;
        limit: number;
      },
    ): Promise<TaskRow[]> {
      let query = sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('account', '=', account)
        .orderBy('id', 'desc')
        .limit(filter.limit);
      if (filter.type) query = query.where('type', '=', filter.type);
      if (filter.phases) query = query.where('phase', 'in', filter.phases.length > 0 ? filter.phases : ['']);
      if (filter.place) query = query.where(beyond(['id'], filter.place, true));
      return (await query.execute()).map(fromRow);
    },

    /** Tasks of all accounts that are neither complete nor failed. */
    async unfinished(sql: Sql, type: string): Promise<TaskRow[]> {
      const rows = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('type', '=', type)
        .where('finished_at', 'is', null)
        .execute();
      return rows.map(fromRow);
    },

    async remove(tx: Tx, account: string, ids: readonly string[]): Promise<void> {
      await tx
        .on<TaskTables>()
        .deleteFrom('task')
        .where('account', '=', account)
        .where('id', 'in', ids)
        .execute();
    },

    async removeFinished(tx: Tx, account: string, type: string, phase: string): Promise<void> {
      await tx
        .on<TaskTables>()
        .deleteFrom('task')
        .where('account', '=', account)
        .where('type', '=', type)
        .where('phase', '=', phase)
        .where('finished_at', 'is not', null)
        .execute();
    },

    async count(
      sql: Sql,
      account: string,
      type: string | undefined,
    ): Promise<Partial<Record<Phase, number>>> {
      let query = sql
        .on<TaskTables>()
        .selectFrom('task')
        .select(['phase', ({ fn }) => fn.countAll<number>().as('count')])
        .where('account', '=', account)
        .groupBy('phase');
      if (type) query = query.where('type', '=', type);
      return Object.fromEntries((await query.execute()).map(({ phase, count }) => [phase, Number(count)]));
    },

    async removeFinishedBefore(tx: Tx, types: readonly string[], time: number): Promise<void> {
      await tx
        .on<TaskTables>()
        .deleteFrom('task')
        .where('type', 'in', types)
        .where('finished_at', '<', time)
        .execute();
    },
  };
}

export type TaskStore = ReturnType<typeof createTaskStore>;
