import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { File, FileList } from './file.ts';
import { Task } from './task.ts';
import {
  Decimal,
  Empty,
  FolderId,
  Id,
  Limit,
  LooseSize,
  oneOf,
  PageToken,
  StringMap,
  ThumbnailSize,
  Time,
} from './wire.ts';

/** What a batch call works on: ids, or all children of a folder but the named exceptions. */
const Selection = {
  ids: Type.Optional(Type.Array(Id)),
  all_in: Type.Optional(FolderId),
  except_ids: Type.Optional(Type.Array(Id)),
};
const Destination = Type.Object({ parent_id: Type.Optional(FolderId) });
/** A batch call always answers with a task; small ones are complete already. */
const TaskRef = Type.Object({ task_id: Id });
/** What to do where the name is taken in the destination: a numbered copy (default), refuse, put aside (to trash), leave out. */
export const ConflictMode = oneOf(['rename', 'fail', 'replace', 'skip'] as const);

const Resumable = Type.Object({
  kind: Type.Literal('drive#resumable'),
  provider: Type.String(),
  params: Type.Object({
    access_key_id: Type.String(),
    access_key_secret: Type.String(),
    security_token: Type.String(),
    bucket: Type.String(),
    endpoint: Type.String(),
    key: Type.String(),
    expiration: Time,
  }),
});
export type UploadTicket = Static<typeof Resumable>;

/** A form that takes the bytes: `multipart/form-data` of these fields and, last, the part `file`. */
const Form = Type.Object({
  kind: Type.Literal('drive#form'),
  method: Type.Literal('POST'),
  url: Type.String(),
  headers: StringMap,
  multi_parts: StringMap,
});
export type UploadForm = Static<typeof Form>;

/** Options of a creation of offline download; part of `url` in `POST /drive/v1/files`. */
const FetchUrl = Type.Object({
  /** http, https, magnet, an info-hash, or a share of this site. */
  url: Type.Optional(Type.String({ maxLength: 100_000 })),
  /** Indexes or ids of the files of a torrent; all where absent. */
  files: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]), { maxItems: 100_000 })),
  /** Sent along to the site: Cookie, Referer, User-Agent, Authorization. Kept encrypted, shown to nobody. */
  headers: Type.Optional(StringMap),
  /** Starts not before. */
  start_time: Type.Optional(Time),
  priority: Type.Optional(oneOf(['high', 'normal', 'low'] as const)),
});

export const driveApi = {
  list: endpoint({
    name: 'drive.list',
    method: 'GET',
    path: '/drive/v1/files',
    host: 'drive',
    credentials: 'required',
    summary: 'List a folder, the trash, the starred or everything',
    query: Type.Object({
      parent_id: Type.Optional(Type.String({ maxLength: 64, description: '"" is the root, * everywhere' })),
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      filters: Type.Optional(
        Type.String({
          description:
            'JSON: phase, trashed, kind, starred, system_tag, modified_time, created_time, mime_type',
        }),
      ),
      order: Type.Optional(
        Type.String({ description: 'NAME_ASC … or 1 to 8; default modified, newest first' }),
      ),
      order_by: Type.Optional(Type.String()),
      folders_first: Type.Optional(Type.String({ description: 'true (default) or false' })),
      with_audit: Type.Optional(Type.String()),
      space: Type.Optional(Type.String()),
      with_total: Type.Optional(Type.String({ description: 'true: count the whole folder' })),
    }),
    reply: FileList,
    errors: ['unauthenticated', 'file_not_found', 'invalid_argument'],
  }),
  get: endpoint({
    name: 'drive.get',
    method: 'GET',
    path: '/drive/v1/files/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'One file or folder, with links',
    params: Type.Object({ id: Id }),
    query: Type.Object({ thumbnail_size: Type.Optional(ThumbnailSize), usage: Type.Optional(Type.String()) }),
    reply: File,
    errors: ['file_not_found'],
  }),
  /** Root first, the folder itself last; for breadcrumbs. */
  ancestors: endpoint({
    name: 'drive.ancestors',
    method: 'GET',
    path: '/drive/v1/files/{id}/ancestors',
    host: 'drive',
    credentials: 'required',
    summary: 'The folders from the root down to this one',
    params: Type.Object({ id: Id }),
    reply: Type.Object({ ancestors: Type.Array(Type.Object({ id: FolderId, name: Type.String() })) }),
    errors: ['file_not_found'],
  }),
  create: endpoint({
    name: 'drive.create',
    method: 'POST',
    path: '/drive/v1/files',
    host: 'drive',
    credentials: 'required',
    summary: 'Create a folder, ask for an upload ticket, or have a link fetched',
    body: Type.Object({
      kind: Type.String(),
      parent_id: Type.Optional(FolderId),
      name: Type.Optional(Type.String()),
      folder_type: Type.Optional(Type.String()),
      size: Type.Optional(LooseSize),
      hash: Type.Optional(Type.String({ maxLength: 64 })),
      upload_type: Type.Optional(Type.String()),
      resumable: Type.Optional(Type.Object({ provider: Type.Optional(Type.String()) })),
      objProvider: Type.Optional(Type.Object({ provider: Type.Optional(Type.String()) })),
      /** With upload_type UPLOAD_TYPE_URL: what to fetch. */
      url: Type.Optional(FetchUrl),
      /** What clients tell about themselves; `from` is where the link came from. */
      params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      /** Folders: `fail` answers the existing folder's clash; files: asked for again when the bytes are whole. */
      conflict: Type.Optional(ConflictMode),
      /** When the user's own copy was last changed. */
      user_modified_time: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      upload_type: Type.String(),
      file: Type.Union([Type.Null(), File]),
      task: Type.Union([Type.Null(), Task]),
      resumable: Type.Optional(Resumable),
      /** In place of `resumable`, where UPLOAD_TYPE_FORM was asked for. */
      form: Type.Optional(Form),
      url: Type.Optional(Type.Object({ kind: Type.String() })),
    }),
    errors: [
      'file_name_empty',
      'file_name_invalid',
      'file_name_too_long',
      'file_duplicated_name',
      'file_not_found',
      'file_space_not_enough',
      'unsupported',
      'link_unsupported',
      'link_forbidden',
      'task_daily_create_limit',
      'task_run_nums_limit',
      'file_restore_own',
    ],
  }),
  rename: endpoint({
    name: 'drive.rename',
    method: 'PATCH',
    path: '/drive/v1/files/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Rename',
    params: Type.Object({ id: Id }),
    body: Type.Object({ name: Type.Optional(Type.String()) }),
    reply: File,
    errors: [
      'file_name_empty',
      'file_name_invalid',
      'file_name_too_long',
      'file_duplicated_name',
      'file_rename_to_same_name',
      'file_not_found',
    ],
  }),
  remove: endpoint({
    name: 'drive.remove',
    method: 'DELETE',
    path: '/drive/v1/files/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete for ever',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['file_not_found'],
  }),
  move: endpoint({
    name: 'drive.move',
    method: 'POST',
    path: '/drive/v1/files:batchMove',
    host: 'drive',
    credentials: 'required',
    summary: 'Move into a folder',
    body: Type.Object({
      ...Selection,
      to: Type.Optional(Destination),
      conflict: Type.Optional(ConflictMode),
    }),
    reply: TaskRef,
    errors: [
      'file_not_found',
      'file_move_or_copy_to_cur',
      'file_move_into_itself',
      'file_duplicated_name',
      'operating_file_count_exceeded',
    ],
  }),
  copy: endpoint({
    name: 'drive.copy',
    method: 'POST',
    path: '/drive/v1/files:batchCopy',
    host: 'drive',
    credentials: 'required',
    summary: 'Copy into a folder, by reference',
    body: Type.Object({
      ...Selection,
      to: Type.Optional(Destination),
      conflict: Type.Optional(ConflictMode),
    }),
    reply: TaskRef,
    errors: [
      'file_not_found',
      'file_move_into_itself',
      'file_space_not_enough',
      'operating_file_count_exceeded',
    ],
  }),
  trash: endpoint({
    name: 'drive.trash',
    method: 'POST',
    path: '/drive/v1/files:batchTrash',
    host: 'drive',
    credentials: 'required',
    summary: 'Put into the trash',
    body: Type.Object(Selection),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  untrash: endpoint({
    name: 'drive.untrash',
    method: 'POST',
    path: '/drive/v1/files:batchUntrash',
    host: 'drive',
    credentials: 'required',
    summary: 'Bring back from the trash, to the place it had, or to the root where that is gone',
    body: Type.Object({ ...Selection }),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  removeMany: endpoint({
    name: 'drive.removeMany',
    method: 'POST',
    path: '/drive/v1/files:batchDelete',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete for ever, from the drive or the trash',
    body: Type.Object(Selection),
    reply: TaskRef,
    errors: ['file_not_found', 'operating_file_count_exceeded'],
  }),
  emptyTrash: endpoint({
    name: 'drive.emptyTrash',
    method: 'PATCH',
    path: '/drive/v1/files/trash:empty',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete everything in the trash for ever',
    reply: TaskRef,
  }),
  star: endpoint({
    name: 'drive.star',
    method: 'POST',
    path: '/drive/v1/files:star',
    host: 'drive',
    credentials: 'required',
    summary: 'Star',
    body: Type.Object({ ids: Type.Array(Id) }),
    reply: Empty,
    errors: ['file_not_found'],
  }),
  unstar: endpoint({
    name: 'drive.unstar',
    method: 'POST',
    path: '/drive/v1/files:unstar',
    host: 'drive',
    credentials: 'required',
    summary: 'Unstar',
    body: Type.Object({ ids: Type.Array(Id) }),
    reply: Empty,
    errors: ['file_not_found'],
  }),
  about: endpoint({
    name: 'drive.about',
    method: 'GET',
    path: '/drive/v1/about',
    host: 'drive',
    credentials: 'required',
    summary: 'Quota and use',
    query: Type.Object({ space: Type.Optional(Type.String()) }),
    reply: Type.Object({
      kind: Type.Literal('drive#about'),
      quota: Type.Object({
        kind: Type.Literal('drive#quota'),
        limit: Decimal,
        usage: Decimal,
        usage_in_trash: Decimal,
        play_times_limit: Decimal,
        play_times_usage: Decimal,
        is_unlimited: Type.Boolean(),
        complimentary: Type.String(),
      }),
      expires_at: Type.String(),
      quotas: Type.Record(Type.String(), Type.Unknown()),
      user_type: Type.Integer(),
      sub: Type.String(),
    }),
  }),
  /** What `cid` is, docs/formats.md says. */
  byCid: endpoint({
    name: 'drive.byCid',
    method: 'GET',
    path: '/drive/v1/resource/cid',
    host: 'drive',
    credentials: 'required',
    summary: 'The gcid of content that lies in the own drive, by its quick digest',
    query: Type.Object({
      cid: Type.Optional(Type.String({ maxLength: 64 })),
      file_size: Type.Optional(LooseSize),
    }),
    reply: Type.Object({ gcid: Type.String({ description: '"" where no such content is there' }) }),
    errors: ['invalid_argument'],
  }),
  /** Names that a set of files or folders would clash with in a folder: asked before an upload starts. */
  conflicts: endpoint({
    name: 'drive.conflicts',
    method: 'POST',
    path: '/drive/v1/files:conflicts',
    host: 'drive',
    credentials: 'required',
    summary: 'Which of these names are taken in a folder',
    body: Type.Object({
      parent_id: Type.Optional(FolderId),
      names: Type.Array(Type.String(), { maxItems: 1000 }),
    }),
    reply: Type.Object({
      taken: Type.Array(
        Type.Object({
          name: Type.String(),
          id: Id,
          kind: Type.String(),
          size: Decimal,
          modified_time: Time,
        }),
      ),
    }),
    errors: ['file_not_found'],
  }),
};
