import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, Empty, Id, Limit, oneOf, PageToken, StringMap, ThumbnailSize, Time } from '../wire.ts';
import { ShareOwner } from './share-owner.ts';
import { ShareStatus } from './share-status.ts';

/** Days until a share expires, "-1" for never. */
const ExpirationDays = Type.Union([Type.Integer(), Type.String()]);
const RestoreLimit = Type.Union([Type.Integer(), Type.String()]);
const PassCodeOption = oneOf(['REQUIRED', 'NOT_REQUIRED'] as const);

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

/** Calls for members' own shares. */
export const ownShareApi = {
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
    errors: ['file_not_found', 'invalid_argument', 'share_empty', 'share_status_prohibited', 'share_limit'],
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
    errors: ['share_not_found', 'invalid_argument', 'share_limit'],
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
};
