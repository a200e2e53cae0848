import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ApiFailure, isErrorId, type Phase, type TaskType } from '@bowerbird/contract';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Database, KeysetPosition, Sql, Tx } from '../foundation/database/index.ts';
import type { TaskStore } from './task-store.ts';
import { isFinished, mayBecome, type TaskRow } from './task.ts';

export interface NewTask<State = unknown> {
  readonly account: string;
  readonly type: TaskType;
  readonly name: string;
  readonly fileId?: string;
  readonly fileName?: string;
  readonly fileSize?: number;
  readonly phase?: Phase;
  readonly progress?: number;
  readonly message?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly state?: State;
  /** Idempotency key: a retried request gets the task of the first one. */
  readonly requestKey?: string | undefined;
}

export type TaskChange = Partial<
  Pick<
    TaskRow,
    'phase' | 'progress' | 'message' | 'params' | 'state' | 'name' | 'fileId' | 'fileName' | 'fileSize'
  >
> & { readonly error?: string };

export interface Tasks {
  begin<State>(tx: Tx, task: NewTask<State>): Promise<TaskRow<State> & { readonly existing: boolean }>;
  /** Changes the given fields. A phase that can't follow the current one is rejected with `internal`. */
  update(tx: Tx, id: string, change: TaskChange): Promise<void>;
  find<State = unknown>(sql: Sql, account: string, id: string): Promise<TaskRow<State> | undefined>;
  /** Returns the files of those tasks of an account that exist, by task; "" for tasks without a file. */
  filesOf(sql: Sql, account: string, ids: readonly string[]): Promise<Map<string, string>>;
  byId<State = unknown>(sql: Sql, id: string): Promise<TaskRow<State> | undefined>;
  list(
    sql: Sql,
    account: string,
    filter: {
      types: readonly TaskType[] | undefined;
      phases: readonly Phase[] | undefined;
      place: KeysetPosition | undefined;
      limit: number;
    },
  ): Promise<TaskRow[]>;
  /** Tasks of all accounts that are neither complete nor failed. */
  unfinished<State = unknown>(sql: Sql, type: TaskType): Promise<TaskRow<State>[]>;
  isCancelled(sql: Sql, id: string): Promise<boolean>;
  /** Hook that releases the resources of a canceled task. Runs in the canceling transaction. */
  onCancel<State = unknown>(type: TaskType, give: (tx: Tx, task: TaskRow<State>) => Promise<void>): void;
  /**
   * Hook for the removal of tasks of a type, finished or not. Such tasks are deleted at once, whereas running
   * tasks of other types are kept as canceled. `withFiles` asks to delete the files that the task made.
   */
  onRemoval(type: TaskType, remove: (tx: Tx, task: TaskRow, withFiles: boolean) => Promise<void>): void;
  /** Cancels running tasks, deletes finished ones. Unknown ids and those of others are skipped. */
  remove(account: string, ids: readonly string[], options?: { withFiles: boolean }): Promise<void>;
  /** Cancels the account's running tasks and deletes all its tasks. Returns the number of tasks removed. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
  /** Deletes the finished tasks of some types and a phase. */
  clear(account: string, types: readonly TaskType[], phase: Phase): Promise<void>;
  count(
    sql: Sql,
    account: string,
    types: readonly TaskType[] | undefined,
  ): Promise<Partial<Record<Phase, number>>>;
  /**
   * Deletes finished tasks: of synchronous work after a day, of fetched links after a year, others after thirty days.
   */
  forgetOld(): Promise<void>;
}

const ERASED_AT_ONCE = 100;
const DAY_MS = 24 * 3600 * 1000;
const SHORT_LIVED: readonly TaskType[] = ['move', 'trash', 'untrash', 'delete', 'empty_trash', 'rename'];
const LONG_LIVED: readonly TaskType[] = ['copy', 'restore', 'upload', 'decompress', 'pack_files'];
/** Types whose finished tasks members look up later. */
const HISTORY: readonly TaskType[] = ['offline'];

/** True if members see the change. A download that waits reports itself every second. */
const isVisible = (task: TaskRow, { params, ...fields }: TaskChange): boolean =>
  Object.entries(fields).some(([name, value]) => name !== 'state' && value !== task[name as keyof TaskRow]) ||
  Object.entries(params ?? {}).some(([name, value]) => value !== task.params[name]);

export function createTasks({
  database,
  store,
  clock,
  ids,
}: {
  database: Database;
  store: TaskStore;
  clock: Clock;
  ids: Ids;
}): Tasks {
  const givers = new Map<TaskType, (tx: Tx, task: TaskRow) => Promise<void>>();
  const removers = new Map<TaskType, (tx: Tx, task: TaskRow, withFiles: boolean) => Promise<void>>();

  const tasks: Tasks = {
    async begin<State>(tx: Tx, task: NewTask<State>) {
      const now = clock.now();
      const phase = task.phase ?? 'PHASE_TYPE_PENDING';
      const id = ids.next();
      const inserted = await store.insert<State>(tx, {
        id,
        account: task.account,
        type: task.type,
        phase,
        progress: task.progress ?? (phase === 'PHASE_TYPE_COMPLETE' ? 100 : 0),
        name: task.name,
        file_id: task.fileId ?? '',
        file_name: task.fileName ?? '',
        file_size: task.fileSize ?? 0,
        message: task.message ?? '',
        error: null,
        params: JSON.stringify(task.params ?? {}),
        state: JSON.stringify(task.state ?? null),
        request_key: task.requestKey ?? null,
        cancelled_at: null,
        created_at: now,
        updated_at: now,
        finished_at: isFinished(phase) ? now : null,
      });
      if (inserted) return { ...inserted, existing: false };
      return { ...(await store.byRequest<State>(tx, task.account, task.requestKey!))!, existing: true };
    },

    async update(tx, id, change) {
      const task = await store.find(tx, id);
      if (!task) return;
      if (change.phase && !mayBecome(task.phase, change.phase))
        throw new ApiFailure('internal', { task: id, from: task.phase, to: change.phase });
      if (isVisible(task, change)) tx.changed(task.account, 'tasks');
      const now = clock.now();
      await store.update(tx, id, {
        updated_at: now,
        ...(change.phase === undefined
          ? {}
          : { phase: change.phase, finished_at: isFinished(change.phase) ? now : null }),
        ...(change.phase === 'PHASE_TYPE_COMPLETE'
          ? { progress: 100 }
          : change.progress === undefined
            ? {}
            : { progress: change.progress }),
        ...(change.message === undefined ? {} : { message: change.message }),
        ...(change.error === undefined
          ? change.phase === undefined || change.phase === 'PHASE_TYPE_ERROR'
            ? {}
            : { error: null }
          : { error: isErrorId(change.error) ? change.error : 'internal' }),
        ...(change.params === undefined
          ? {}
          : { params: JSON.stringify({ ...task.params, ...change.params }) }),
        ...(change.state === undefined ? {} : { state: JSON.stringify(change.state) }),
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.fileId === undefined ? {} : { file_id: change.fileId }),
        ...(change.fileName === undefined ? {} : { file_name: change.fileName }),
        ...(change.fileSize === undefined ? {} : { file_size: change.fileSize }),
      });
    },

    async find<State>(sql: Sql, account: string, id: string) {
      const task = await store.find<State>(sql, id);
      return task?.account === account ? task : undefined;
    },

    filesOf: (sql, account, ids) => store.filesOf(sql, account, ids),
    byId: (sql, id) => store.find(sql, id),
    unfinished: (sql, type) => store.unfinished(sql, type),
    list: (sql, account, filter) => store.list(sql, account, filter),

    async isCancelled(sql, id) {
      const task = await store.find(sql, id);
      return task === undefined || task.cancelled;
    },

    onCancel(type, give) {
      givers.set(type, give as (tx: Tx, task: TaskRow) => Promise<void>);
    },

    onRemoval(type, remove) {
      removers.set(type, remove);
    },

    clear: (account, types, phase) =>
      database.transaction((tx) => store.removeFinished(tx, account, types, phase)),

    count: (sql, account, types) => store.count(sql, account, types),

    async remove(account, taskIds, { withFiles } = { withFiles: false }) {
      await database.transaction(async (tx) => {
        const wanted = [...new Set(taskIds)].toSorted();
        // Locks all tasks before anything else, in the order that their workers use.
        for (const id of wanted) await tx.lock(`task:${id}`);
        for (const id of wanted) {
          const task = await store.find(tx, id);
          if (task?.account !== account) continue;
          const remove = removers.get(task.type);
          if (remove) {
            await remove(tx, task, withFiles);
            await store.remove(tx, account, [id]);
          } else if (isFinished(task.phase)) {
            await store.remove(tx, account, [id]);
          } else {
            await givers.get(task.type)?.(tx, task);
            tx.changed(account, 'tasks');
            await store.update(tx, id, {
              phase: 'PHASE_TYPE_ERROR',
              error: 'cancelled',
              cancelled_at: clock.now(),
              updated_at: clock.now(),
              finished_at: clock.now(),
            });
          }
        }
      });
    },

    async eraseAccount(account, signal) {
      const all = { types: undefined, phases: undefined, place: undefined, limit: ERASED_AT_ONCE };
      for (let removed = 0; ;) {
        signal.throwIfAborted();
        const some = await store.list(database, account, all);
        if (some.length === 0) return removed;
        // Running tasks are canceled in the first round, and deleted in the second.
        await tasks.remove(
          account,
          some.map(({ id }) => id),
        );
        removed += some.length;
        await yieldToEventLoop();
      }
    },

    async forgetOld() {
      await database.transaction(async (tx) => {
        await store.removeFinishedBefore(tx, SHORT_LIVED, clock.now() - DAY_MS);
        await store.removeFinishedBefore(tx, LONG_LIVED, clock.now() - 30 * DAY_MS);
        await store.removeFinishedBefore(tx, HISTORY, clock.now() - 365 * DAY_MS);
      });
    },
  };
  return tasks;
}
