import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, FolderId, Id, Limit, PageToken, ThumbnailSize, Time } from '../wire.ts';
import { File } from './file.ts';

/**
 * Kinds of events in Recent: added by an upload; saved from a share; downloaded from a link by the server;
 * extracted from an archive; opened in a preview; played; edited, meaning that its content was replaced; shared.
 */
export const RECENT_KINDS = [
  'added',
  'saved',
  'downloaded',
  'extracted',
  'opened',
  'played',
  'edited',
  'shared',
] as const;
export type RecentKind = (typeof RECENT_KINDS)[number];

const PlayPosition = Type.Object({
  file_id: Id,
  /** Whole seconds; the duration is 0 if unknown. */
  seconds: Type.Integer(),
  duration: Type.Integer(),
  updated_time: Time,
});
export type PlayPosition = Static<typeof PlayPosition>;

export const RecentEntry = Type.Object({
  /** One of {@link RECENT_KINDS}. */
  event: Type.String(),
  time: Time,
  /** Playback position of the last report; `null` unless the event is `played`. */
  play: Type.Union([Type.Null(), PlayPosition]),
  /** Folder of the file; its name is empty for the root. */
  folder: Type.Object({ id: FolderId, name: Type.String() }),
  file: File,
});
export type RecentEntry = Static<typeof RecentEntry>;

const Kinds = Type.Optional(Type.Array(Type.String(), { maxItems: 20 }));

export const recentApi = {
  list: endpoint({
    name: 'recent.list',
    method: 'GET',
    path: '/drive/v1/recent',
    host: 'drive',
    credentials: 'required',
    summary: 'List recent files',
    description:
      'Returns each file once, with its latest event, newest first. A page with filters may have fewer files than requested, or none, although more follow.',
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      kinds: Type.Optional(
        Type.String({
          description: `Kinds of events, comma-separated: ${RECENT_KINDS.map((kind) => `\`${kind}\``).join(', ')}. Default: all.`,
        }),
      ),
      categories: Type.Optional(
        Type.String({ description: 'Kinds of files, comma-separated, such as `video,audio`. Default: all.' }),
      ),
      unfinished: Type.Optional(
        Type.String({ description: '`true`: only videos and long recordings that can be resumed.' }),
      ),
    }),
    reply: Type.Object({ entries: Type.Array(RecentEntry), next_page_token: Type.String() }),
    errors: ['invalid_argument'],
  }),
  positions: endpoint({
    name: 'recent.positions',
    method: 'GET',
    path: '/drive/v1/recent:positions',
    host: 'drive',
    credentials: 'required',
    summary: 'Get playback positions',
    description: 'Returns the last reported positions of the files, as far as there are any.',
    query: Type.Object({
      file_ids: Type.String({ maxLength: 3000, description: 'Up to 100 IDs, comma-separated.' }),
    }),
    reply: Type.Object({ positions: Type.Array(PlayPosition) }),
    errors: ['invalid_argument'],
  }),
  remove: endpoint({
    name: 'recent.remove',
    method: 'POST',
    path: '/drive/v1/recent:remove',
    host: 'drive',
    credentials: 'required',
    summary: 'Remove files from Recent',
    description:
      'Deletes their events of the given kinds, or all. The files are kept. The response has an ID with which this can be undone for a day.',
    body: Type.Object({ file_ids: Type.Array(Id, { maxItems: 1000 }), kinds: Kinds }),
    reply: Type.Object({ removal: Id }),
    errors: ['invalid_argument'],
  }),
  restore: endpoint({
    name: 'recent.restore',
    method: 'POST',
    path: '/drive/v1/recent:restore',
    host: 'drive',
    credentials: 'required',
    summary: 'Undo a removal from Recent',
    description: 'Puts the removed events back, except those that were recorded again since.',
    body: Type.Object({ removal: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  clear: endpoint({
    name: 'recent.clear',
    method: 'POST',
    path: '/drive/v1/recent:clear',
    host: 'drive',
    credentials: 'required',
    summary: 'Clear Recent',
    description: 'Deletes all events of the given kinds, or all. The files are kept.',
    body: Type.Object({ kinds: Kinds }),
    reply: Empty,
    errors: ['invalid_argument'],
  }),
};
