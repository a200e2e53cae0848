import Type, { type Static } from 'typebox';
import { File } from '../drive/file.ts';
import { endpoint } from '../endpoint.ts';
import {
  Decimal,
  Empty,
  FolderId,
  Id,
  Limit,
  oneOf,
  PageToken,
  StringMap,
  ThumbnailSize,
  Time,
} from '../wire.ts';

export const SHARE_STATUSES = [
  'OK',
  'PASS_CODE_EMPTY',
  'PASS_CODE_ERROR',
  'MAX_RESTORE_COUNT',
  'EXPIRED',
  'DELETED',
  'SENSITIVE_RESOURCE',
  'SENSITIVE_WORD',
  'AUDITING',
  'NOT_FOUND',
  'PROHIBITED',
] as const;
/** The result of checking a share. The HTTP status of a check is always 200. */
export const ShareStatus = oneOf(SHARE_STATUSES);
export type ShareStatus = Static<typeof ShareStatus>;

export const RESTORE_STATUSES = ['RESTORE_UNKNOWN', 'RESTORE_START', 'RESTORE_COMPLETE'] as const;

/** Days until a share expires, "-1" for never. */
const ExpirationDays = Type.Union([Type.Integer(), Type.String()]);
const RestoreLimit = Type.Union([Type.Integer(), Type.String()]);
const PassCodeOption = oneOf(['REQUIRED', 'NOT_REQUIRED'] as const);

export const ShareOwner = Type.Object({
  user_id: Type.String(),
  nickname: Type.String(),
  avatar: Type.String(),
  portrait_url: Type.String(),
});

/** A share, as its owner sees it. */
export const OwnShare = Type.Object({
  share_id: Id,
  share_url: Type.String(),
  share_status: ShareStatus,
  share_status_text: Type.String(),
  /** True while the owner has it paused. */
  paused: Type.Boolean(),
  title: Type.String(),
  icon_link: Type.String(),
  thumbnail_link: Type.String(),
  pass_code: Type.String(),
  file_num: Decimal,
  file_id: Type.String(),
  file_kind: Type.String(),
  file_size: Decimal,
  restore_limit: Decimal,
  limit_count: Decimal,
  restore_count: Decimal,
  view_count: Decimal,
  download_count: Decimal,
  expiration_days: Decimal,
  /** RFC 3339, or "-1" for never. */
  expiration_at: Type.String(),
  expiration_left: Decimal,
  expiration_left_seconds: Decimal,
  create_time: Time,
  user_info: ShareOwner,
  share_to: Type.String(),
  phrase: Type.String(),
  params: StringMap,
});
export type OwnShare = Static<typeof OwnShare>;

/** A share as visitors see it. Until the passcode is right, only status and owner are filled in. */
export const ShareOpening = Type.Object({
  share_status: ShareStatus,
  share_status_text: Type.String(),
  title: Type.String(),
  file_num: Decimal,
  /** Bytes of all files among the share's roots (files inside folders aren't counted). */
  file_size: Decimal,
  expiration_left: Decimal,
  expiration_left_seconds: Decimal,
  expiration_at: Type.String(),
  restore_count_left: Decimal,
  files: Type.Array(File),
  user_info: ShareOwner,
  pass_code_token: Type.String(),
  next_page_token: Type.String(),
  icon_link: Type.String(),
  thumbnail_link: Type.String(),
  params: StringMap,
  /** True if the caller owns the share. */
  own: Type.Boolean(),
});
export type ShareOpening = Static<typeof ShareOpening>;

const Access = {
  share_id: Type.String({ maxLength: 64 }),
  pass_code_token: Type.Optional(Type.String({ maxLength: 2048 })),
};
const Page = {
  limit: Limit,
  page_token: PageToken,
  thumbnail_size: Type.Optional(ThumbnailSize),
  order: Type.Optional(Type.String()),
  folders_first: Type.Optional(Type.String()),
};

export const shareApi = {
  create: endpoint({
    name: 'share.create',
    method: 'POST',
    path: '/drive/v1/share',
    host: 'drive',
    credentials: 'required',
    summary: 'Create a share',
    description: 'Shares files and folders with a link.',
    body: Type.Object({
      file_ids: Type.Array(Id),
      share_to: Type.Optional(Type.String({ maxLength: 64 })),
      expiration_days: Type.Optional(ExpirationDays),
      pass_code_option: Type.Optional(PassCodeOption),
      custom_pass_code: Type.Optional(Type.String({ maxLength: 64 })),
      restore_limit: Type.Optional(RestoreLimit),
      limit_count: Type.Optional(RestoreLimit),
      title: Type.Optional(Type.String({ maxLength: 512 })),
      params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    reply: Type.Object({
      share_id: Id,
      share_url: Type.String(),
      pass_code: Type.String(),
      share_text: Type.String(),
      share_list: Type.Array(Type.Unknown()),
    }),
    errors: ['file_not_found', 'invalid_argument', 'share_empty', 'share_status_prohibited'],
  }),
  edit: endpoint({
    name: 'share.edit',
    method: 'PATCH',
    path: '/drive/v1/share',
    host: 'drive',
    credentials: 'required',
    summary: 'Update a share',
    description: 'The address of the share stays the same.',
    body: Type.Object({
      share_id: Id,
      expiration_days: Type.Optional(ExpirationDays),
      pass_code_option: Type.Optional(PassCodeOption),
      custom_pass_code: Type.Optional(Type.String({ maxLength: 64 })),
      restore_limit: Type.Optional(RestoreLimit),
      limit_count: Type.Optional(RestoreLimit),
      title: Type.Optional(Type.String({ maxLength: 512 })),
      paused: Type.Optional(Type.Boolean()),
    }),
    reply: OwnShare,
    errors: ['share_not_found', 'invalid_argument'],
  }),
  listOwn: endpoint({
    name: 'share.listOwn',
    method: 'GET',
    path: '/drive/v1/share/list',
    host: 'drive',
    credentials: 'required',
    summary: 'List your shares',
    description: 'Returns the newest first.',
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
      /** Only those of this file, only this one. */
      file_id: Type.Optional(Id),
      share_id: Type.Optional(Id),
    }),
    reply: Type.Object({ data: Type.Array(OwnShare), next_page_token: Type.String() }),
  }),
  cancelMany: endpoint({
    name: 'share.cancelMany',
    method: 'POST',
    path: '/drive/v1/share:batchDelete',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete shares',
    body: Type.Object({ ids: Type.Array(Id) }),
    reply: Empty,
    errors: ['operating_file_count_exceeded'],
  }),
  cancel: endpoint({
    name: 'share.cancel',
    method: 'DELETE',
    path: '/drive/v1/share/{id}',
    host: 'drive',
    credentials: 'required',
    summary: 'Delete a share',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['share_not_found'],
  }),
  open: endpoint({
    name: 'share.open',
    method: 'GET',
    path: '/drive/v1/share',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'Open a share',
    description: 'Checks the share and returns its first page.',
    query: Type.Object({
      ...Access,
      pass_code: Type.Optional(Type.String({ maxLength: 64 })),
      parent_id: Type.Optional(Type.String()),
      ...Page,
    }),
    reply: ShareOpening,
    errors: ['too_frequent', 'invalid_argument'],
  }),
  detail: endpoint({
    name: 'share.detail',
    method: 'GET',
    path: '/drive/v1/share/detail',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'List a folder in a share',
    description: 'A `parent_id` of `""` is the root of the share.',
    query: Type.Object({
      ...Access,
      parent_id: Type.Optional(FolderId),
      with_audit: Type.Optional(Type.String()),
      filters: Type.Optional(Type.String()),
      ...Page,
    }),
    reply: Type.Object({
      share_status: ShareStatus,
      share_status_text: Type.String(),
      files: Type.Array(File),
      next_page_token: Type.String(),
      /** From the share's root down to the listed folder; for breadcrumbs. */
      ancestors: Type.Array(Type.Object({ id: FolderId, name: Type.String() })),
    }),
    errors: ['too_frequent', 'file_not_found', 'invalid_argument'],
  }),
  fileInfo: endpoint({
    name: 'share.fileInfo',
    method: 'GET',
    path: '/drive/v1/share/file_info',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'Get a file in a share',
    description: 'The response includes links.',
    query: Type.Object({ ...Access, file_id: Id, thumbnail_size: Type.Optional(ThumbnailSize) }),
    reply: Type.Object({
      share_status: ShareStatus,
      share_status_text: Type.String(),
      file_info: Type.Union([Type.Null(), File]),
    }),
    errors: ['too_frequent', 'file_not_found'],
  }),
  batchFileInfo: endpoint({
    name: 'share.batchFileInfo',
    method: 'POST',
    path: '/drive/v1/share:batch_file_info',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'Get several files in a share',
    description: 'The response includes links.',
    body: Type.Object({
      ...Access,
      file_ids: Type.Array(Id, { maxItems: 100 }),
      thumbnail_size: Type.Optional(ThumbnailSize),
    }),
    reply: Type.Object({
      share_status: ShareStatus,
      share_status_text: Type.String(),
      files: Type.Array(File),
    }),
    errors: ['too_frequent'],
  }),
  restore: endpoint({
    name: 'share.restore',
    method: 'POST',
    path: '/drive/v1/share/restore',
    host: 'drive',
    credentials: 'required',
    summary: 'Save items from a share to your drive',
    description: 'Items are saved by reference.',
    body: Type.Object({
      ...Access,
      file_ids: Type.Optional(Type.Array(Id)),
      ancestor_ids: Type.Optional(Type.Array(Type.String())),
      params: Type.Optional(Type.Object({ trace_file_ids: Type.Optional(Type.String()) })),
      parent_id: Type.Optional(FolderId),
      specify_parent_id: Type.Optional(Type.Boolean()),
      to: Type.Optional(Type.Object({ parent_id: Type.Optional(FolderId) })),
      to_parent_id: Type.Optional(FolderId),
      folder_type: Type.Optional(Type.String()),
    }),
    reply: Type.Object({
      share_status: ShareStatus,
      share_status_text: Type.String(),
      file_id: Type.String(),
      restore_status: oneOf(RESTORE_STATUSES),
      restore_task_id: Type.String(),
      params: StringMap,
    }),
    errors: [
      'file_restore_own',
      'file_space_not_enough',
      'file_not_found',
      'restore_limit_reached',
      'operating_file_count_exceeded',
      'too_frequent',
      'unauthenticated',
    ],
  }),
};
