import Type, { type Static } from 'typebox';
import { Phase } from '../task.ts';
import { COLORS } from './annotation.ts';
import { Decimal, FolderId, Id, MaybeTime, oneOf, StringMap, Time } from '../wire.ts';

export const Link = Type.Object({
  url: Type.String(),
  token: Type.String(),
  expire: Time,
  type: Type.String(),
});

export const Media = Type.Object({
  media_id: Type.String(),
  media_name: Type.String(),
  video: Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]),
  audio: Type.Null(),
  link: Type.Union([Type.Null(), Link]),
  need_more_quota: Type.Boolean(),
  vip_types: Type.Array(Type.String()),
  redirect_link: Type.String(),
  icon_link: Type.String(),
  is_default: Type.Boolean(),
  priority: Type.Integer(),
  is_origin: Type.Boolean(),
  resolution_name: Type.String(),
  is_visible: Type.Boolean(),
  category: Type.String(),
});

/** A file or folder as sent on the wire. Every field is present; `links` is an object for folders as well. */
export const File = Type.Object({
  kind: oneOf(['drive#file', 'drive#folder'] as const),
  id: Id,
  parent_id: FolderId,
  name: Type.String(),
  user_id: Type.String(),
  size: Decimal,
  revision: Decimal,
  file_extension: Type.String(),
  mime_type: Type.String(),
  created_time: Time,
  modified_time: Time,
  user_modified_time: Time,
  icon_link: Type.String(),
  thumbnail_link: Type.String(),
  md5_checksum: Type.String(),
  hash: Type.String({ description: 'The gcid, in uppercase hex. `""` for folders.' }),
  links: Type.Record(Type.String(), Link),
  phase: Phase,
  audit: Type.Union([
    Type.Null(),
    Type.Object({ status: Type.String(), message: Type.String(), title: Type.String() }),
  ]),
  medias: Type.Array(Media),
  trashed: Type.Boolean(),
  delete_time: MaybeTime,
  original_url: Type.String(),
  params: StringMap,
  original_file_index: Type.Integer(),
  space: Type.String(),
  apps: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  writable: Type.Boolean(),
  folder_type: Type.String(),
  collection: Type.String(),
  sort_name: Type.String(),
  starred: Type.Boolean(),
  tags: Type.Array(Type.Object({ name: Type.String(), type: Type.Integer() })),
  spell_name: Type.Array(Type.String()),
  reference_events: Type.Array(Type.Unknown()),
  reference_resource: Type.Null(),
  file_category: Type.String({
    description: '`IMAGE`, `VIDEO`, `AUDIO`, `DOCUMENT`, … , `OTHER`, or `FOLDER`.',
  }),
  web_content_link: Type.String(),
  folder_size: Type.Optional(
    Type.String({
      pattern: '^\\d+$',
      description:
        'Folders only: bytes of all files below it, without trashed ones. `size` of folders is `"0"`.',
    }),
  ),
  file_count: Type.Optional(Type.Integer({ description: 'Folders only: number of files below it.' })),
  folder_count: Type.Optional(Type.Integer({ description: 'Folders only: number of folders below it.' })),
  folder_color: Type.Optional(oneOf(COLORS, 'Folders only: the color that the member gave it, if any.')),
  folder_emoji: Type.Optional(
    Type.String({ description: 'Folders only: the emoji that is its icon, if any.' }),
  ),
  has_note: Type.Optional(
    Type.Boolean({ description: 'True if the member has written a note about the item.' }),
  ),
  tag_ids: Type.Optional(
    Type.Array(Type.String(), {
      description: 'IDs of the member’s own tags of the item, if it has any; `tags` has only the star.',
    }),
  ),
});
export type File = Static<typeof File>;

export const FileList = Type.Object({
  kind: Type.Literal('drive#fileList'),
  files: Type.Array(File),
  next_page_token: Type.String(),
  version: Type.String(),
  version_outdated: Type.Boolean(),
  sync_time: Time,
  /**
   * Number of matching items in the folder, across all pages; "-1" if counting would cost more than the page itself.
   */
  total: Decimal,
});
export type FileList = Static<typeof FileList>;
