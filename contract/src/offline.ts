import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Phase, Task } from './task.ts';
import { Decimal, Empty, Id, Limit, oneOf, PageToken, StringMap } from './wire.ts';

/** A file or folder that a link leads to. `meta.status` is "1" once it is known, "0" while it is looked for, "2" where it can't be had. */
const ResourceFields = {
  id: Type.String({ description: 'what `url.files` of a creation takes' }),
  name: Type.String(),
  file_size: Decimal,
  file_count: Type.Integer(),
  file_index: Type.Integer(),
  meta: StringMap,
  is_dir: Type.Boolean(),
  parent_id: Type.String(),
  resolver: Type.String(),
  /** Folders above the file within its torrent, joined by slashes; "" at its top. */
  path: Type.String(),
  /** What to create a task with: the link itself, or the magnet link of a torrent that was found; "" for its files. */
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
/** One for each link that was asked about. */
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

/** Of one file of a task. */
export const FileStatus = Type.Object({
  file_index: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  file_size: Decimal,
  /** Bytes that are here. */
  received: Decimal,
  phase: Phase,
  /** Why it failed; "" otherwise. */
  message: Type.String(),
  /** Identifier from the error catalogue; "" where it didn't fail. */
  error: Type.String(),
  /** The file in the drive; "" before it is there. */
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
    summary: 'What links lead to, before anything is fetched',
    repeatable: true,
    bodyLimit: 16_100_000,
    body: Type.Object({
      /** One link a line, at most 100. */
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
    summary:
      'The same again (what was looked for may be known by now), or the next page of a torrent’s files',
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
    summary: 'How much may still be fetched today',
    reply: Type.Object({
      /** Tasks that may be created a day, -1 without limit; a day ends at midnight UTC. */
      daily_limit: Type.Integer(),
      daily_used: Type.Integer(),
      /** Tasks of one member that run at once; the others wait. */
      running_limit: Type.Integer(),
      /** Bytes of one task. */
      size_limit: Decimal,
      /** Bytes that may be fetched a day, "-1" without limit. */
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
    summary: 'Try a failed task again; only what failed is fetched',
    body: Type.Object({ type: Type.String(), create_type: Type.String(), id: Id }),
    reply: Type.Object({ task: Task }),
    errors: ['task_not_found', 'unsupported', 'file_space_not_enough'],
  }),
  retry: endpoint({
    name: 'offline.retry',
    method: 'POST',
    path: '/drive/v1/tasks:retry',
    host: 'drive',
    credentials: 'required',
    summary: 'Try failed tasks again; those in other states are passed over',
    body: Ids,
    reply: Empty,
    errors: ['file_space_not_enough'],
  }),
  pause: endpoint({
    name: 'offline.pause',
    method: 'POST',
    path: '/drive/v1/tasks:pause',
    host: 'drive',
    credentials: 'required',
    summary: 'Pause tasks that wait or run; those in other states are passed over',
    body: Ids,
    reply: Empty,
  }),
  resume: endpoint({
    name: 'offline.resume',
    method: 'POST',
    path: '/drive/v1/tasks:resume',
    host: 'drive',
    credentials: 'required',
    summary: 'Go on with paused tasks',
    body: Ids,
    reply: Empty,
  }),
  prioritize: endpoint({
    name: 'offline.prioritize',
    method: 'POST',
    path: '/drive/v1/tasks:prioritize',
    host: 'drive',
    credentials: 'required',
    summary: 'Which waiting tasks start first',
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
    summary: 'The files of a task, each with its own state, in the order of the source',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      /** Only failed ones. */
      failed: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      statuses: Type.Array(FileStatus),
      next_page_token: Type.String(),
      /** All files of the task, and those of them that failed and that are there. */
      total: Type.Integer(),
      failed: Type.Integer(),
      complete: Type.Integer(),
    }),
    errors: ['task_not_found'],
  }),
};
