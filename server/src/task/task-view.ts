import type { Locale, Task } from '@bowerbird/contract';
import { errorText, timeText } from '../foundation/index.ts';
import type { TaskRow } from './task.ts';

/** A task as its owner sees it; a failure's text is in the reader's language. */
export function taskView(task: TaskRow, locale: Locale): Task {
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
    reference_resource: null,
    space: '',
  };
}
