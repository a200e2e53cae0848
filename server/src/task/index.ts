import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { mountTasks, type References } from './task-routes.ts';
import { createTasks, type Tasks } from './task-service.ts';
import { createTaskStore } from './task-store.ts';

export type { NewTask, TaskChange, Tasks } from './task-service.ts';
export { taskView } from './task-view.ts';
export { isFinished, type TaskRow } from './task.ts';

const HOUR_MS = 3600 * 1000;

/** Tasks of all domains that members can watch. */
export function createTaskDomain({ database, clock, ids, cursors }: Foundation) {
  const tasks: Tasks = createTasks({ database, store: createTaskStore(), clock, ids });
  let references: References = async () => new Map();
  return {
    tasks,
    /** Registers the lookup of the files that tasks refer to. */
    onReferences(known: References) {
      references = known;
    },
    eraseAccount: tasks.eraseAccount,
    mount: ({ api }: Mount) =>
      mountTasks(api, { tasks, database, cursors, references: (...asked) => references(...asked) }),
    define: (jobs: Jobs) => jobs.define('forget-old-tasks', () => tasks.forgetOld(), { everyMs: HOUR_MS }),
  };
}
