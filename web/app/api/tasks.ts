import { ApiFailure, isErrorId, taskApi, type ApiCall, type Task } from '@bowerbird/contract';

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2000;

/** Polls a task until it has ended; rejects with its failure. Most are complete on the first poll. */
export async function finished(call: ApiCall, id: string, onProgress?: (task: Task) => void): Promise<Task> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 1.5)) {
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
    await new Promise((resolve) => setTimeout(resolve, wait));
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
