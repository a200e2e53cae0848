import type { Phase, TaskType } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import {
  beyond,
  createStatements,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../foundation/database/index.ts';
import type { TaskTables } from './task-tables.ts';
import type { TaskRow } from './task.ts';

type Columns = TaskTables['task'];

function fromRow<State>(row: Selectable<Columns>): TaskRow<State> {
  return {
    id: row.id,
    account: row.account,
    type: row.type,
    phase: row.phase,
    progress: row.progress,
    name: row.name,
    fileId: row.file_id,
    fileName: row.file_name,
    fileSize: row.file_size,
    message: row.message,
    error: row.error ?? undefined,
    params: JSON.parse(row.params) as Record<string, string>,
    state: JSON.parse(row.state) as State,
    cancelled: row.cancelled_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function createTaskStore() {
  const statements = createStatements();
  return {
    /** Returns undefined if the account has a task with the same request key already. */
    async insert<State>(tx: Tx, row: Columns): Promise<TaskRow<State> | undefined> {
      tx.changed(row.account, 'tasks');
      const inserted = await statements.change(tx, 'insert', { ...row }, (values) =>
        tx
          .on<TaskTables>()
          .insertInto('task')
          .values(values)
          .onConflict((conflict) =>
            conflict.columns(['account', 'request_key']).where('request_key', 'is not', null).doNothing(),
          ),
      );
      return inserted > 0 ? fromRow<State>(row) : undefined;
    },

    async update(tx: Tx, id: string, change: Partial<Columns>): Promise<void> {
      await statements.change(
        tx,
        `update ${Object.keys(change).join()}`,
        { ...change, which: id },
        ({ which, ...set }) =>
          tx
            .on<TaskTables>()
            .updateTable('task')
            .set(set as Partial<Columns>)
            .where('id', '=', which),
      );
    },

    async find<State = unknown>(sql: Sql, id: string): Promise<TaskRow<State> | undefined> {
      const [row] = await statements.rows(sql, 'find', { id }, (value) =>
        sql.on<TaskTables>().selectFrom('task').selectAll().where('id', '=', value.id),
      );
      return row && fromRow<State>(row);
    },

    async filesOf(sql: Sql, account: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const rows = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .select(['id', 'file_id'])
        .where('account', '=', account)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map((row) => [row.id, row.file_id]));
    },

    async byRequest<State>(
      sql: Sql,
      account: string,
      requestKey: string,
    ): Promise<TaskRow<State> | undefined> {
      const row = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('account', '=', account)
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row && fromRow<State>(row);
    },

    /** Newest first. */
    async list(
      sql: Sql,
      account: string,
      filter: {
        types: readonly TaskType[] | undefined;
        phases: readonly Phase[] | undefined;
        place: KeysetPosition | undefined;
        limit: number;
      },
    ): Promise<TaskRow[]> {
      const { types, phases } = filter;
      if (types?.length === 0 || phases?.length === 0) return [];
      let query = sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('account', '=', account)
        .orderBy('id', 'desc')
        .limit(filter.limit);
      if (types) query = query.where('type', 'in', types);
      if (phases) query = query.where('phase', 'in', phases);
      if (filter.place) query = query.where(beyond(['id'], filter.place, true));
      return (await query.execute()).map((row) => fromRow(row));
    },

    /** Tasks of all accounts that are neither complete nor failed. */
    async unfinished<State>(sql: Sql, type: TaskType): Promise<TaskRow<State>[]> {
      const rows = await sql
        .on<TaskTables>()
        .selectFrom('task')
        .selectAll()
        .where('type', '=', type)
        .where('finished_at', 'is', null)
        .execute();
      return rows.map((row) => fromRow<State>(row));
    },

    async remove(tx: Tx, account: string, ids: readonly string[]): Promise<void> {
      tx.changed(account, 'tasks');
      await tx
        .on<TaskTables>()
        .deleteFrom('task')
        .where('account', '=', account)
        .where('id', 'in', ids)
        .execute();
    },

    async removeFinished(tx: Tx, account: string, types: readonly TaskType[], phase: Phase): Promise<void> {
      if (types.length === 0) return;
      tx.changed(account, 'tasks');
      await tx
        .on<TaskTables>()
        .deleteFrom('task')
        .where('account', '=', account)
        .where('type', 'in', types)
        .where('phase', '=', phase)
        .where('finished_at', 'is not', null)
        .execute();
    },

    async count(
      sql: Sql,
      account: string,
      types: readonly TaskType[] | undefined,
    ): Promise<Partial<Record<Phase, number>>> {
      if (types?.length === 0) return {};
      let query = sql
        .on<TaskTables>()
        .selectFrom('task')
        .select(['phase', ({ fn }) => fn.countAll<number>().as('count')])
        .where('account', '=', account)
        .groupBy('phase');
      if (types) query = query.where('type', 'in', types);
      return Object.fromEntries((await query.execute()).map(({ phase, count }) => [phase, Number(count)]));
    },

    async removeFinishedBefore(tx: Tx, types: readonly TaskType[], time: number): Promise<void> {
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
