import { ERRORS, type ErrorId } from '@bowerbird/contract';
import type { Nodes } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { isFinished, type TaskRow, type Tasks } from '../task/index.ts';

/** Thrown if the task has ended in the meantime: its owner canceled it, or another worker finished it. */
export class TaskOver extends Error {}

/** Lifecycle of tasks that extract or create archives. */
export interface ArchiveTasks<State> {
  /** Returns the unfinished task and holds its lock. Throws {@link TaskOver}. */
  open(tx: Tx, id: string): Promise<TaskRow<State>>;
  define(queue: Jobs, job: string, work: ArchiveWork<State>): void;
}

interface ArchiveWork<State> {
  run(task: TaskRow<State>, signal: AbortSignal): Promise<void>;
  fail(id: string, error: ErrorId): Promise<void>;
  /** Error identifier that the owner sees. */
  failureOf(error: unknown): ErrorId;
}

const ATTEMPTS = 5;

/** Refusals are final; failures may succeed when retried. */
const isRefusal = (id: ErrorId): boolean => ERRORS[id].status < 500;

export function createArchiveTasks<State>({
  database,
  nodes,
  tasks,
}: {
  database: Database;
  nodes: Nodes;
  tasks: Tasks;
}): ArchiveTasks<State> {
  return {
    async open(tx, id) {
      await tx.lock(`task:${id}`);
      const task = await tasks.byId<State>(tx, id);
      if (!task || isFinished(task.phase)) throw new TaskOver();
      await nodes.lock(tx, task.account);
      return task;
    },

    define(queue, job, { run, fail, failureOf }) {
      queue.define<{ task: string }>(
        job,
        async ({ task: id }, { signal, attempts }) => {
          const task = await tasks.byId<State>(database, id);
          if (!task || isFinished(task.phase)) return;
          try {
            await run(task, signal);
          } catch (error) {
            if (error instanceof TaskOver) return;
            if (signal.aborted) throw error;
            const failure = failureOf(error);
            if (!isRefusal(failure) && attempts < ATTEMPTS) throw error;
            await fail(id, failure);
          }
        },
        { parallel: 1 },
      );
    },
  };
}
