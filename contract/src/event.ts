import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { File } from './file.ts';
import { Empty, FolderId, Id, Limit, LooseSize, PageToken, StringMap, ThumbnailSize, Time } from './wire.ts';

/** What a member's recent past is made of: files that came, and films and music that were played. */
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
  /** Of a play: `play_seconds`, `play_duration` (whole seconds) and `media_id`. */
  params: StringMap,
  /** How much of it was played, 0 to 100; 100 for what came. */
  progress: Type.Integer(),
  /** The file as it is now. */
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
    summary: 'What came lately, or what was played; newest first',
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      /** The same, as some clients call it. */
      next_page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      filters: Type.Optional(
        Type.String({ description: '{"type":{"in":"TYPE_PLAY"}}; everything but plays where absent' }),
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
    summary: 'Say how far a film or a piece of music was played; reports within 1.5 seconds are passed over',
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
    summary: 'Forget some; their files stay',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 1000 }) }),
    reply: Empty,
  }),
  clear: endpoint({
    name: 'event.clear',
    method: 'POST',
    path: '/drive/v1/events:clear',
    host: 'drive',
    credentials: 'required',
    summary: 'Forget all of some types, or all but plays where none is named; their files stay',
    body: Type.Object({ types: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })) }),
    reply: Empty,
    errors: ['invalid_argument'],
  }),
};
