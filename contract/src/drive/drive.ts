import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { File, FileList } from './file.ts';
import { Task } from '../task.ts';
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
} from '../wire.ts';

/** Items of a batch call: IDs, or all children of a folder except the given ones. */
const Selection = {
  ids: Type.Optional(Type.Array(Id)),
  all_in: Type.Optional(FolderId),
  except_ids: Type.Optional(Type.Array(Id)),
};
const Destination = Type.Object({ parent_id: Type.Optional(FolderId) });
/** A batch call always answers with a task; small ones are complete already. */
const TaskRef = Type.Object({ task_id: Id });
/** Handling of names that are taken in the destination: add a number (default), refuse, move the existing item to the trash, skip. */
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

/** A form for the bytes: `multipart/form-data` with these fields and, last, the part `file`. */
const Form = Type.Object({
  kind: Type.Literal('drive#form'),
  method: Type.Literal('POST'),
  url: Type.String(),
  headers: StringMap,
  multi_parts: StringMap,
});
export type UploadForm = Static<typeof Form>;

/** Options of a new cloud download; part of `url` in `POST /drive/v1/files`. */
const FetchUrl = Type.Object({
  /** http, https, magnet, an info-hash, or a share of this site. */
  url: Type.Optional(Type.String({ maxLength: 100_000 })),
  /** Indexes or IDs of the files of a torrent; all if absent. */
  files: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]), { maxItems: 100_000 })),
  /** Headers for the site: Cookie, Referer, User-Agent, Authorization. Stored encrypted, never shown. */
  headers: Type.Optional(StringMap),
  /** Earliest start. */
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
    summary: 'List files and folders',
    description: 'Returns a folder, the trash, the starred items or everything.',
    query: Type.Object({
      parent_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'ID of the folder. `""` is the root, `*` is everywhere.' }),
      ),
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      filters: Type.Optional(
        Type.String({
          description:
            'JSON object. Filters by `phase`, `trashed`, `kind`, `starred`, `system_tag`, `modified_time`, `created_time` and `mime_type`.',
        }),
      ),
      order: Type.Optional(
        Type.String({
          description: 'A name such as `NAME_ASC`, or a number from 1 to 8. Default: modified, newest first.',
        }),
      ),
      order_by: Type.Optional(Type.String()),
      folders_first: Type.Optional(Type.String({ description: '`true` (default) or `false`.' })),
      with_audit: Type.Optional(Type.String()),
      space: Type.Optional(Type.String()),
      with_total: Type.Optional(Type.String({ description: '`true` counts the items of the whole folder.' })),
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
    summary: 'Get a file or folder',
    description: 'The response includes links.',
    params: Type.Object({ id: Id }),
    query: Type.Object({ thumbnail_size: Type.Optional(ThumbnailSize), usage: Type.Optional(Type.String()) }),
    reply: File,
    errors: ['file_not_found'],
  }),
  ancestors: endpoint({
    name: 'drive.ancestors',
    method: 'GET',
    path: '/drive/v1/files/{id}/ancestors',
    host: 'drive',
    credentials: 'required',
    summary: "List a folder's ancestors",
    description:
      'Returns the folders from the root down to this one, which is last. Intended for breadcrumbs.',
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
    summary: 'Create a folder, an upload or a cloud download',
    description: 'Creates a folder, returns an upload ticket, or downloads a link to the drive.',
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
      /** Link to download, with upload_type UPLOAD_TYPE_URL. */
      url: Type.Optional(FetchUrl),
      /** Information from clients about themselves; `from` is the origin of the link. */
      params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      /** Folders: `fail` answers the existing folder's clash; files: asked for again when the bytes are whole. */
      conflict: Type.Optional(ConflictMode),
      /** Time of the last change to the user's own copy. */
      user_modified_time: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      upload_type: Type.String(),
      file: Type.Union([Type.Null(), File]),
      task: Type.Union([Type.Null(), Task]),
      resumable: Type.Optional(Resumable),
      /** Replaces `resumable` if UPLOAD_TYPE_FORM was requested. */
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
    summary: 'Rename a file or folder',
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
    summary: 'Delete a file or folder forever',
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
    summary: 'Move items to a folder',
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
    summary: 'Copy items to a folder',
    description: 'Items are copied by reference.',
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
    summary: 'Move items to the trash',
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
    summary: 'Restore items from the trash',
    description: 'Each item returns to its previous folder, or to the root if that folder no longer exists.',
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
    summary: 'Delete items forever',
    description: 'The items can be in the drive or in the trash.',
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
    summary: 'Empty the trash',
    description: 'Deletes everything in the trash forever.',
    reply: TaskRef,
  }),
  star: endpoint({
    name: 'drive.star',
    method: 'POST',
    path: '/drive/v1/files:star',
    host: 'drive',
    credentials: 'required',
    summary: 'Star items',
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
    summary: 'Unstar items',
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
    summary: 'Get storage quota and usage',
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
  /** docs/formats.md defines `cid`. */
  byCid: endpoint({
    name: 'drive.byCid',
    method: 'GET',
    path: '/drive/v1/resource/cid',
    host: 'drive',
    credentials: 'required',
    summary: 'Look up a gcid by cid',
    description: 'Returns the gcid of content in your own drive by its quick digest.',
    query: Type.Object({
      cid: Type.Optional(Type.String({ maxLength: 64 })),
      file_size: Type.Optional(LooseSize),
    }),
    reply: Type.Object({ gcid: Type.String({ description: '`""` if the drive has no such content.' }) }),
    errors: ['invalid_argument'],
  }),
  conflicts: endpoint({
    name: 'drive.conflicts',
    method: 'POST',
    path: '/drive/v1/files:conflicts',
    host: 'drive',
    credentials: 'required',
    summary: 'Check for name conflicts',
    description: 'Returns which of the given names are taken in a folder. Call it before an upload starts.',
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
