import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, FolderId, Id, Limit, oneOf, PageToken, StringMap, ThumbnailSize } from '../wire.ts';
import { ShareOwner } from './share-owner.ts';
import { ShareStatus } from './share-status.ts';
import { File } from '../drive/file.ts';
import { SearchHit, SearchPage } from '../drive/search.ts';

export const RESTORE_STATUSES = ['RESTORE_UNKNOWN', 'RESTORE_START', 'RESTORE_COMPLETE'] as const;

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

/** Calls for the visitors of a share. */
export const openShareApi = {
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
  search: endpoint({
    name: 'share.search',
    method: 'GET',
    path: '/drive/v1/share/search',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'Search a share',
    description:
      'Finds files and folders of a share by name, as `GET /drive/v1/search` does in a drive. The filters `is:starred` and `is:shared` are ignored.',
    query: Type.Object({ ...Access, ...SearchPage }),
    reply: Type.Object({
      share_status: ShareStatus,
      share_status_text: Type.String(),
      files: Type.Array(SearchHit),
      next_page_token: Type.String(),
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
