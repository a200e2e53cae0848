import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Task } from '../task.ts';
import {
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
import { ConflictMode } from './conflict.ts';
import { File, FileList } from './file.ts';
import { ACCESS_ROLES } from './people.ts';
import { Form, Resumable } from './upload-ticket.ts';

/** Options of a new cloud download; part of `url` in `POST /drive/v1/files`. */
const FetchUrl = Type.Object({
  /** An http or https address, a magnet link, an info-hash, or a share of this site. */
  url: Type.Optional(Type.String({ maxLength: 100_000 })),
  /** Indexes or IDs of the torrent's files to download; all if absent. */
  files: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]), { maxItems: 100_000 })),
  /** Headers to send to the site: Cookie, Referer, User-Agent, Authorization. Stored encrypted, never shown. */
  headers: Type.Optional(StringMap),
  /** Earliest start time. */
  start_time: Type.Optional(Time),
  priority: Type.Optional(oneOf(['high', 'normal', 'low'] as const)),
});

/** Single files and folders. */
export const nodeApi = {
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
      with_trashed_time: Type.Optional(
        Type.String({
          description:
            '`true` adds `trashed_time`, the time of deletion, to the `params` of items in the trash.',
        }),
      ),
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
    description:
      'The response includes links. With `usage=FETCH`, a member whose download traffic of the month is used up gets an error instead.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      thumbnail_size: Type.Optional(ThumbnailSize),
      usage: Type.Optional(Type.String()),
      opened: Type.Optional(
        Type.String({ description: '`true`: lists the file as opened in Recent, if the member wants that.' }),
      ),
    }),
    reply: File,
    errors: ['file_not_found', 'traffic_download_limit'],
  }),
  deviceLink: endpoint({
    name: 'drive.deviceLink',
    method: 'GET',
    path: '/drive/v1/files/{id}/device-link',
    host: 'drive',
    credentials: 'required',
    summary: 'Get a link for another device',
    description:
      'The link downloads a file without signing in. A download has to begin within a few minutes.',
    params: Type.Object({ id: Id }),
    reply: Type.Object({ url: Type.String(), expire: Time }),
    errors: ['file_not_found', 'traffic_download_limit'],
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
    reply: Type.Object({
      ancestors: Type.Array(Type.Object({ id: FolderId, name: Type.String() })),
      /** Only for a folder of another member, whose path begins with what they share. */
      shared: Type.Optional(Type.Object({ owner_id: Type.String(), role: oneOf(ACCESS_ROLES) })),
    }),
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
      /** Link to download, for upload_type UPLOAD_TYPE_URL. */
      url: Type.Optional(FetchUrl),
      /** Information that clients send about themselves; `from` is where the link came from. */
      params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      /**
       * For a folder, `fail` refuses an existing name. For a file, the name is checked now, and again when the upload
       * is complete.
       */
      conflict: Type.Optional(ConflictMode),
      /** When the user's own copy was last modified. */
      user_modified_time: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      upload_type: Type.String(),
      file: Type.Union([Type.Null(), File]),
      task: Type.Union([Type.Null(), Task]),
      resumable: Type.Optional(Resumable),
      /** Returned instead of `resumable` if UPLOAD_TYPE_FORM was requested. */
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
      'task_daily_create_limit_vip',
      'task_traffic_limit',
      'traffic_offline_limit',
      'traffic_upload_limit',
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
};
