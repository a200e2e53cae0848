import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Decimal, Empty, Id, Limit, oneOf, PageToken, Time } from '../wire.ts';
import { File, Link } from './file.ts';

/** Ways in which the content of a file is replaced: by an upload, a network drive, the editor, or an earlier version. */
export const VERSION_CAUSES = ['upload', 'webdav', 'edit', 'restore'] as const;
export type VersionCause = (typeof VERSION_CAUSES)[number];

/** An earlier content of a file. */
export const Version = Type.Object({
  id: Id,
  size: Decimal,
  /** Date of the content. */
  modified_time: Time,
  /** When it was replaced. */
  replaced_time: Time,
  replaced_by: oneOf(VERSION_CAUSES, 'How it was replaced.'),
  label: Type.String(),
  keep_forever: Type.Boolean(),
  hash: Type.String({ description: 'The gcid, in uppercase hex.' }),
  thumbnail_link: Type.String({ description: '`""` if there is none.' }),
  /** Link to download it; null if the content was taken down. */
  link: Type.Union([Link, Type.Null()]),
  /** Link to display it. */
  inline_link: Type.Union([Link, Type.Null()]),
});
export type Version = Static<typeof Version>;

const ofFile = { host: 'drive', credentials: 'required' } as const;
const One = Type.Object({ id: Id, version_id: Id });

export const versionApi = {
  versions: endpoint({
    ...ofFile,
    name: 'drive.versions',
    method: 'GET',
    path: '/drive/v1/files/{id}/versions',
    summary: "List a file's earlier versions",
    description:
      'Returns the contents that the file had before, newest first. A content is kept when an upload, a network drive, the editor or another version replaces it.',
    params: Type.Object({ id: Id }),
    query: Type.Object({ limit: Limit, page_token: PageToken }),
    reply: Type.Object({
      versions: Type.Array(Version),
      next_page_token: Type.String(),
      /** Number and bytes of all of them. */
      total: Type.Integer(),
      total_size: Decimal,
      /** Number that is kept of each file, and the days for which they are; -1 days for no limit. */
      most: Type.Integer(),
      days: Type.Integer(),
    }),
    errors: ['file_not_found', 'invalid_argument'],
  }),
  restoreVersion: endpoint({
    ...ofFile,
    name: 'drive.restoreVersion',
    method: 'POST',
    path: '/drive/v1/files/{id}/versions/{version_id}/restore',
    summary: 'Restore an earlier version',
    description:
      'Makes it the content of the file. The present content becomes a version. Versions with a label, and those kept forever, also stay in the list.',
    params: One,
    reply: Type.Object({
      file: File,
      /** The version that the former content became; `""` if it was empty or the same, or if the storage is full. */
      version_id: Type.String(),
    }),
    errors: ['file_not_found', 'version_not_found', 'file_space_not_enough'],
  }),
  changeVersion: endpoint({
    ...ofFile,
    name: 'drive.changeVersion',
    method: 'PATCH',
    path: '/drive/v1/files/{id}/versions/{version_id}',
    summary: 'Label an earlier version or keep it forever',
    description: 'Versions with a label, and those kept forever, aren’t removed by age or number.',
    params: One,
    body: Type.Object({
      label: Type.Optional(Type.String({ maxLength: LIMITS.versionLabelMax })),
      keep_forever: Type.Optional(Type.Boolean()),
    }),
    reply: Version,
    errors: ['file_not_found', 'version_not_found', 'version_limit', 'invalid_argument'],
  }),
  removeVersion: endpoint({
    ...ofFile,
    name: 'drive.removeVersion',
    method: 'DELETE',
    path: '/drive/v1/files/{id}/versions/{version_id}',
    summary: 'Delete an earlier version',
    params: One,
    reply: Empty,
    errors: ['file_not_found', 'version_not_found'],
  }),
  clearVersions: endpoint({
    ...ofFile,
    name: 'drive.clearVersions',
    method: 'DELETE',
    path: '/drive/v1/files/{id}/versions',
    summary: "Delete a file's earlier versions",
    description: 'Deletes all versions except those with a label and those kept forever.',
    params: Type.Object({ id: Id }),
    reply: Type.Object({ removed: Type.Integer(), bytes: Decimal }),
    errors: ['file_not_found'],
  }),
  saveContent: endpoint({
    ...ofFile,
    name: 'drive.saveContent',
    method: 'POST',
    path: '/drive/v1/files/{id}/content',
    summary: 'Save the content of a file',
    description: `Replaces the content of a file with up to ${LIMITS.editBytes} bytes, which follow the body. The former content becomes a version. \`base\` is the hash of the content that was edited: if the file has another one by now, the call is refused with \`content_changed\`, so that nobody’s changes are lost. \`*\` overwrites whatever is there.`,
    bytes: true,
    bodyLimit: LIMITS.editBytes + 4096,
    params: Type.Object({ id: Id }),
    body: Type.Object({ base: Type.String({ maxLength: 64 }) }),
    reply: File,
    errors: [
      'file_not_found',
      'content_changed',
      'file_space_not_enough',
      'traffic_upload_limit',
      'disk_full',
    ],
  }),
};
