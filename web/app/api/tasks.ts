import { ApiFailure, isErrorId, taskApi, type ApiCall, type Task } from '@bowerbird/contract';
import { untilLive } from './live/live.ts';

/** Time after which the task is looked at again, in case events don't get through. */
const LONGEST_WAIT_MS = 10_000;

/** Waits for the end of a task; rejects with its failure. Most have ended already. */
export async function finished(call: ApiCall, id: string, onProgress?: (task: Task) => void): Promise<Task> {
  for (;;) {
    const changed = untilLive('tasks', LONGEST_WAIT_MS);
    const task = await call(taskApi.get, { params: { id } });
    if (task.phase === 'PHASE_TYPE_COMPLETE') return task;
    if (task.phase === 'PHASE_TYPE_ERROR') {
      const reason = task.params['error'];
      throw new ApiFailure(
        reason !== undefined && isErrorId(reason) ? reason : 'internal',
        {},
        task.message || undefined,
      );
    }
    onProgress?.(task);
    await changed;
  }
}

/** Ids that a copying task created, from its map of old to new ids. */
export function madeIds(task: Task): string[] {
  try {
    return Object.values(JSON.parse(task.params['trace_file_ids'] ?? '{}') as Record<string, string>);
  } catch {
    return [];
  }
}
