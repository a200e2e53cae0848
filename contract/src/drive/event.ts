import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { File } from './file.ts';
import { Empty, FolderId, Id, Limit, LooseSize, PageToken, StringMap, ThumbnailSize, Time } from '../wire.ts';

/** Types of recent events of a member: files that were added, and videos and music that were played. */
export const EVENT_TYPES = ['TYPE_UPLOAD', 'TYPE_RESTORE', 'TYPE_DOWNLOAD', 'TYPE_PLAY'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DriveEvent = Type.Object({
  kind: Type.Literal('drive#event'),
  id: Id,
  type: Type.String(),
  type_name: Type.String(),
  file_id: Id,
  file_name: Type.String(),
  mime_type: Type.String(),
  folder_id: FolderId,
  created_time: Time,
  updated_time: Time,
  /** For playback events: `play_seconds`, `play_duration` (whole seconds) and `media_id`. */
  params: StringMap,
  /** Percentage played, 0 to 100; 100 for added files. */
  progress: Type.Integer(),
  /** The file in its current state. */
  reference_resource: Type.Union([Type.Null(), File]),
});
export type DriveEvent = Static<typeof DriveEvent>;

export const eventApi = {
  list: endpoint({
    name: 'event.list',
    method: 'GET',
    path: '/drive/v1/events',
    host: 'drive',
    credentials: 'required',
    summary: 'List recent events',
    description: 'Returns recently added files, or recently played ones, newest first.',
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      /** The same list under the name that some clients use. */
      next_page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      filters: Type.Optional(
        Type.String({
          description: 'JSON, such as `{"type":{"in":"TYPE_PLAY"}}`. Default: everything except plays.',
        }),
      ),
    }),
    reply: Type.Object({ events: Type.Array(DriveEvent), next_page_token: Type.String() }),
    errors: ['invalid_argument'],
  }),
  report: endpoint({
    name: 'event.report',
    method: 'POST',
    path: '/drive/v1/events',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Report playback progress',
    description: 'For videos and music. Reports within 1.5 seconds of the last one are ignored.',
    body: Type.Object({
      event: Type.Object({
        type: Type.String(),
        file_id: Id,
        params: Type.Optional(
          Type.Object({
            play_seconds: Type.Optional(LooseSize),
            play_duration: Type.Optional(LooseSize),
            media_id: Type.Optional(Type.String({ maxLength: 64 })),
          }),
        ),
      }),
    }),
    reply: Empty,
    errors: ['file_not_found', 'invalid_argument'],
  }),
  remove: endpoint({
    name: 'event.remove',
    method: 'POST',
    path: '/drive/v1/events:delete',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete events',
    description: 'Their files are kept.',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 1000 }) }),
    reply: Empty,
  }),
  clear: endpoint({
    name: 'event.clear',
    method: 'POST',
    path: '/drive/v1/events:clear',
    host: 'drive',
    credentials: 'required',
    summary: 'Clear events',
    description:
      'Deletes all events of the given types, or all except plays if no type is given. Their files are kept.',
    body: Type.Object({ types: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })) }),
    reply: Empty,
    errors: ['invalid_argument'],
  }),
};
