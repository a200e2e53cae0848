import type { File, Locale, Task } from '@bowerbird/contract';
import { errorText, timeText } from '../foundation/index.ts';
import type { TaskRow } from './task.ts';

/** Type by which clients of the protocol recognize references. */
const REFERENCE = 'type.googleapis.com/drive.ReferenceFile';

/**
 * Task as its owner sees it; an error's text is in the reader's language. `reference` is the file of the
 * task, null if it is gone, which the task then reports.
 */
export function taskView(task: TaskRow, locale: Locale, reference?: File | null): Task {
  if (reference === null && task.phase === 'PHASE_TYPE_COMPLETE' && task.type === 'offline')
    return {
      ...taskView(task, locale),
      phase: 'PHASE_TYPE_ERROR',
      message: errorText(locale, 'file_not_found'),
    };
  return {
    kind: 'drive#task',
    id: task.id,
    name: task.name,
    type: task.type,
    user_id: task.account,
    statuses: [],
    status_size: 0,
    params: { ...task.params, ...(task.error === undefined ? {} : { error: task.error }) },
    file_id: task.fileId,
    file_name: task.fileName,
    file_size: String(task.fileSize),
    message: task.error === undefined ? task.message : errorText(locale, task.error as never),
    created_time: timeText(task.createdAt),
    updated_time: timeText(task.updatedAt),
    third_task_id: '',
    phase: task.phase,
    progress: task.progress,
    icon_link: '',
    callback: '',
    reference_resource: reference ? { '@type': REFERENCE, ...reference, tags: [] } : null,
    space: '',
  };
}
