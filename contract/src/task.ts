import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Decimal, Empty, Id, Limit, oneOf, PageToken, StringMap, Time } from './wire.ts';

export const PHASES = [
  'PHASE_TYPE_PENDING',
  'PHASE_TYPE_RUNNING',
  'PHASE_TYPE_PAUSED',
  'PHASE_TYPE_ERROR',
  'PHASE_TYPE_COMPLETE',
  'PHASE_TYPE_UNKNOW',
] as const;
export const Phase = oneOf(PHASES);
export type Phase = Static<typeof Phase>;

export const TASK_TYPES = [
  'upload',
  'restore',
  'copy',
  'move',
  'trash',
  'untrash',
  'delete',
  'empty_trash',
  'rename',
  'offline',
  'decompress',
  'pack_files',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const Task = Type.Object({
  kind: Type.Literal('drive#task'),
  id: Id,
  name: Type.String(),
  type: Type.String(),
  user_id: Type.String(),
  statuses: Type.Array(Type.String()),
  status_size: Type.Integer(),
  /** All values are strings; `trace_file_ids` is a JSON text that maps source IDs to the IDs of the created files. */
  params: StringMap,
  file_id: Type.String(),
  file_name: Type.String(),
  file_size: Decimal,
  message: Type.String(),
  created_time: Time,
  updated_time: Time,
  third_task_id: Type.String(),
  phase: Phase,
  /** 0 to 100. */
  progress: Type.Integer(),
  icon_link: Type.String(),
  callback: Type.String(),
  reference_resource: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]),
  space: Type.String(),
});
export type Task = Static<typeof Task>;

export const taskApi = {
  list: endpoint({
    name: 'task.list',
    method: 'GET',
    path: '/drive/v1/tasks',
    host: 'drive',
    credentials: 'required',
    summary: 'List tasks',
    description: 'Returns the newest first.',
    query: Type.Object({
      type: Type.Optional(Type.String()),
      limit: Limit,
      page_token: PageToken,
      filters: Type.Optional(
        Type.String({
          description: 'JSON, such as `{"phase":{"in":"PHASE_TYPE_RUNNING,PHASE_TYPE_ERROR"}}`.',
        }),
      ),
      with: Type.Optional(
        Type.String({ description: '`reference_resource` includes the file of each task.' }),
      ),
      with_reference_resource: Type.Optional(Type.String()),
      thumbnail_size: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      tasks: Type.Array(Task),
      next_page_token: Type.String(),
      expires_in: Type.Integer(),
      expires_in_ms: Type.Integer(),
    }),
    errors: ['unauthenticated'],
  }),
  /** For the tabs of a page that lists tasks. */
  count: endpoint({
    name: 'task.count',
    method: 'GET',
    path: '/drive/v1/tasks:count',
    host: 'drive',
    credentials: 'required',
    summary: 'Count tasks by phase',
    query: Type.Object({ type: Type.Optional(Type.String()) }),
    reply: Type.Object({ counts: Type.Record(Type.String(), Type.Integer()) }),
  }),
  clear: endpoint({
    name: 'task.clear',
    method: 'POST',
    path: '/drive/v1/tasks:clear',
    host: 'drive',
    credentials: 'required',
    summary: 'Clear finished tasks',
    description: 'Deletes all finished tasks of the given type and phase. Their files are kept.',
    body: Type.Object({
      type: Type.String(),
      phase: oneOf(['PHASE_TYPE_COMPLETE', 'PHASE_TYPE_ERROR'] as const),
    }),
    reply: Empty,
  }),
  get: endpoint({
    name: 'task.get',
    method: 'GET',
    path: '/drive/v1/tasks/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Get a task',
    params: Type.Object({ id: Id }),
    reply: Task,
    errors: ['task_not_found'],
  }),
  remove: endpoint({
    name: 'task.remove',
    method: 'DELETE',
    path: '/drive/v1/tasks',
    host: 'drive',
    credentials: 'required',
    summary: 'Cancel or delete tasks',
    description: 'Cancels running tasks and deletes the others. Unknown IDs are ignored.',
    query: Type.Object({
      task_ids: Type.Unsafe<string | string[]>({ description: 'Comma-separated or repeated.' }),
      delete_files: Type.Optional(Type.String()),
    }),
    reply: Empty,
  }),
};
