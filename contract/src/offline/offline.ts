import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Phase, Task } from '../task.ts';
import { Decimal, Empty, Id, Limit, oneOf, PageToken, StringMap } from '../wire.ts';

/**
 * A file or folder that a link leads to. `meta.status` is "1" if it is known, "0" while it is being looked up, "2" if
 * it isn't available.
 */
const ResourceFields = {
  id: Type.String({ description: 'Value for `url.files` when creating a download.' }),
  name: Type.String(),
  file_size: Decimal,
  file_count: Type.Integer(),
  file_index: Type.Integer(),
  meta: StringMap,
  is_dir: Type.Boolean(),
  parent_id: Type.String(),
  resolver: Type.String(),
  /** Folders above the file within its torrent, joined by slashes; "" if there are none. */
  path: Type.String(),
  /**
   * Link to create a task with: the link itself, or the magnet link of a torrent that was found; "" for a torrent's
   * files.
   */
  url: Type.String(),
};
const ResourceFile = Type.Object({ ...ResourceFields, dir: Type.Null() });
export type ResourceFile = Static<typeof ResourceFile>;
const Resource = Type.Object({
  ...ResourceFields,
  dir: Type.Union([
    Type.Null(),
    Type.Object({
      page_size: Type.Integer(),
      next_page_token: Type.String(),
      resources: Type.Array(ResourceFile),
    }),
  ]),
});
/** One for each link in the request. */
export type Resource = Static<typeof Resource>;

const ResourceList = Type.Object({
  list_id: Type.String(),
  list: Type.Object({
    page_size: Type.Integer(),
    next_page_token: Type.String(),
    resources: Type.Array(Resource),
  }),
});
export type ResourceList = Static<typeof ResourceList>;

/** State of one file of a task. */
export const FileStatus = Type.Object({
  file_index: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  file_size: Decimal,
  /** Bytes received so far. */
  received: Decimal,
  phase: Phase,
  /** Reason for the failure; "" if there is none. */
  message: Type.String(),
  /** Identifier from the error catalogue; "" if there is no failure. */
  error: Type.String(),
  /** The file in the drive; "" until it has been created. */
  file_id: Type.String(),
});
export type FileStatus = Static<typeof FileStatus>;

const Ids = Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 1000 }) });

export const offlineApi = {
  inspect: endpoint({
    name: 'offline.inspect',
    method: 'POST',
    path: '/drive/v1/resource/list',
    host: 'drive',
    credentials: 'optional',
    summary: 'Inspect links',
    description: 'Returns what the links lead to, before anything is downloaded.',
    repeatable: true,
    bodyLimit: 16_100_000,
    body: Type.Object({
      /** One link per line, at most 100. */
      urls: Type.Optional(Type.String({ maxLength: 1_000_000 })),
      /** A .torrent file in base64, instead of links. */
      torrent: Type.Optional(Type.String({ maxLength: 16_000_000 })),
      page_size: Limit,
      thumbnail_type: Type.Optional(Type.String()),
    }),
    reply: ResourceList,
    errors: ['link_unsupported', 'link_forbidden', 'torrent_invalid', 'too_frequent'],
  }),
  inspectMore: endpoint({
    name: 'offline.inspectMore',
    method: 'GET',
    path: '/drive/v1/resource/list/{list_id}',
    host: 'drive',
    credentials: 'optional',
    summary: 'Refresh or continue an inspection',
    description:
      "Returns the same list again, now with anything found since, or the next page of a torrent's files.",
    params: Type.Object({ list_id: Type.String({ maxLength: 20_000 }) }),
    query: Type.Object({ page_token: PageToken, page_size: Limit }),
    reply: ResourceList,
    errors: ['not_found', 'too_frequent'],
  }),
  allowance: endpoint({
    name: 'offline.allowance',
    method: 'GET',
    path: '/drive/v1/offline/allowance',
    host: 'drive',
    credentials: 'required',
    summary: "Get today's download allowance",
    description: 'Returns how much can still be downloaded today.',
    reply: Type.Object({
      /** Tasks allowed per day, -1 for no limit; days end at midnight UTC. */
      daily_limit: Type.Integer(),
      daily_used: Type.Integer(),
      /** Number of tasks of one member that run at once; the others wait. */
      running_limit: Type.Integer(),
      /** Maximum bytes of one task. */
      size_limit: Decimal,
      /** Bytes that may be downloaded per day, "-1" for no limit. */
      traffic_limit: Decimal,
      traffic_used: Decimal,
    }),
  }),
  act: endpoint({
    name: 'offline.act',
    method: 'POST',
    path: '/drive/v1/task',
    host: 'drive',
    credentials: 'required',
    summary: 'Retry a failed task',
    description: 'Downloads only what failed.',
    body: Type.Object({ type: Type.String(), create_type: Type.String(), id: Id }),
    reply: Type.Object({ task: Task }),
    errors: ['task_not_found', 'unsupported', 'file_space_not_enough', 'traffic_offline_limit'],
  }),
  retry: endpoint({
    name: 'offline.retry',
    method: 'POST',
    path: '/drive/v1/tasks:retry',
    host: 'drive',
    credentials: 'required',
    summary: 'Retry failed tasks',
    description: 'Tasks in other states are skipped.',
    body: Ids,
    reply: Empty,
    errors: ['file_space_not_enough', 'traffic_offline_limit'],
  }),
  pause: endpoint({
    name: 'offline.pause',
    method: 'POST',
    path: '/drive/v1/tasks:pause',
    host: 'drive',
    credentials: 'required',
    summary: 'Pause tasks',
    description: 'Pauses waiting and running tasks. Tasks in other states are skipped.',
    body: Ids,
    reply: Empty,
  }),
  resume: endpoint({
    name: 'offline.resume',
    method: 'POST',
    path: '/drive/v1/tasks:resume',
    host: 'drive',
    credentials: 'required',
    summary: 'Resume paused tasks',
    body: Ids,
    reply: Empty,
  }),
  prioritize: endpoint({
    name: 'offline.prioritize',
    method: 'POST',
    path: '/drive/v1/tasks:prioritize',
    host: 'drive',
    credentials: 'required',
    summary: 'Set the priority of waiting tasks',
    description: 'The priority determines which of them start first.',
    body: Type.Object({
      ids: Type.Array(Id, { minItems: 1, maxItems: 1000 }),
      priority: oneOf(['high', 'normal', 'low'] as const),
    }),
    reply: Empty,
  }),
  statuses: endpoint({
    name: 'offline.statuses',
    method: 'GET',
    path: '/drive/v1/task/{id}/statuses',
    host: 'drive',
    credentials: 'required',
    summary: 'List the files of a task',
    description: 'Returns each file with its own state, in the order of the source.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      /** If true, only failed files are returned. */
      failed: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      statuses: Type.Array(FileStatus),
      next_page_token: Type.String(),
      /** Number of all, failed and complete files of the task. */
      total: Type.Integer(),
      failed: Type.Integer(),
      complete: Type.Integer(),
    }),
    errors: ['task_not_found'],
  }),
};
