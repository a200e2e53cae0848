import { isApiFailure } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { JobRun, Jobs } from '../../foundation/jobs/index.ts';
import type { Tasks } from '../../task/index.ts';
import { FILE, type NodeRow } from '../drive.ts';
import { TreeCopyCancelled } from '../tree-copy/index.ts';
import type { Plan } from './batch.ts';

/** Returns the fields of a batch's task. `first` is the first of the `count` nodes. */
export const taskOf = (account: string, { verb }: Plan, first: NodeRow | undefined, count: number) => ({
  account,
  type: verb,
  name: first?.name ?? '',
  fileId: first?.id ?? '',
  fileName: first?.name ?? '',
  fileSize: first?.kind === FILE ? first.size : 0,
  params: { count: String(count) },
});

/** Tasks of batches that a request can't finish. */
export interface BatchTasks {
  /** Starts a task whose job carries out the plan. Returns its id. */
  begin(tx: Tx, account: string, plan: Plan, first?: NodeRow): Promise<string>;
  /** Runs a job's work; a refusal ends the task, any other error is retried a few times. */
  guarded(task: string, run: JobRun, work: () => Promise<void>): Promise<void>;
}

const TRIES = 5;

export function createBatchTasks({
  database,
  tasks,
  jobs,
}: {
  database: Database;
  tasks: Tasks;
  jobs: Jobs;
}): BatchTasks {
  async function failed(task: string, error: unknown): Promise<void> {
    await database.transaction((tx) =>
      tasks.update(tx, task, {
        phase: 'PHASE_TYPE_ERROR',
        error: isApiFailure(error) ? error.id : 'internal',
      }),
    );
  }

  return {
    async begin(tx: Tx, account: string, plan: Plan, first?: NodeRow): Promise<string> {
      const task = await tasks.begin(tx, {
        ...taskOf(account, plan, first, plan.ids?.length ?? 0),
        state: plan,
      });
      await jobs.enqueue(tx, plan.verb === 'copy' ? 'copy' : 'batch', { task: task.id }, { key: task.id });
      return task.id;
    },

    async guarded(task: string, { signal, attempts }: JobRun, work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (error instanceof TreeCopyCancelled) return;
        if (signal.aborted) throw error;
        if (isApiFailure(error) || attempts >= TRIES) await failed(task, error);
        if (!isApiFailure(error)) throw error;
      }
    },
  };
}
