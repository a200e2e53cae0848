import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Phase } from '../task.ts';
import { Decimal, FolderId, Id, oneOf } from '../wire.ts';

/** Results of opening an archive; the HTTP status is always 200. */
export const DECOMPRESS_STATUSES = ['OK', 'PASS_WORD_EMPTY', 'PASS_WORD_ERROR', 'NEED_MORE_QUOTA'] as const;
/** True if files with this name are archives whose contents can be read here. */
export const isExtractable = (name: string): boolean => /\.(?:zip|cbz|jar|7z|cb7|rar|cbr|tar)$/i.test(name);

export const DecompressStatus = oneOf(DECOMPRESS_STATUSES);
export type DecompressStatus = Static<typeof DecompressStatus>;

const Archive = {
  file_id: Id,
  /** Clients send it along with the ID, but it isn't needed. */
  gcid: Type.Optional(Type.String({ maxLength: 64 })),
  password: Type.Optional(Type.String({ maxLength: 1024 })),
};

export const ArchivedFile = Type.Object({
  /** Index in the archive; -1 for folders that have no entry of their own in the archive. */
  index: Type.Integer(),
  filename: Type.String(),
  filesize: Decimal,
  mime_type: Type.String(),
  gcid: Type.String(),
  kind: oneOf(['drive#file', 'drive#folder'] as const),
  icon_link: Type.String(),
  /** Path within the archive, without leading or trailing slashes. */
  path: Type.String(),
});
export type ArchivedFile = Static<typeof ArchivedFile>;

export const decompressApi = {
  list: endpoint({
    name: 'decompress.list',
    method: 'POST',
    path: '/decompress/v1/list',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'List a folder in an archive',
    body: Type.Object({ ...Archive, path: Type.Optional(Type.String({ maxLength: 4096 })) }),
    reply: Type.Object({
      status: DecompressStatus,
      status_text: Type.String(),
      task_id: Type.String(),
      current_path: Type.String(),
      title: Type.String(),
      file_size: Type.Integer({
        description: 'Size of the archive in bytes. Unlike other sizes, a JSON number.',
      }),
      gcid: Type.String(),
      files: Type.Array(ArchivedFile),
    }),
    errors: ['file_not_found', 'archive_invalid', 'unsupported', 'too_frequent'],
  }),
  decompress: endpoint({
    name: 'decompress.decompress',
    method: 'POST',
    path: '/decompress/v1/decompress',
    host: 'drive',
    credentials: 'required',
    summary: 'Extract an archive',
    description: 'Extracts all or some of it to a folder with the name of the archive.',
    body: Type.Object({
      ...Archive,
      /** Files or folders to extract from the archive; everything if none is named. */
      files: Type.Optional(
        Type.Array(Type.Object({ path: Type.Optional(Type.String({ maxLength: 4096 })) }), {
          maxItems: 1000,
        }),
      ),
      /** If true, extracts next to the archive and ignores parent_id. */
      default_parent: Type.Optional(Type.Boolean()),
      parent_id: Type.Optional(FolderId),
    }),
    reply: Type.Object({
      status: DecompressStatus,
      status_text: Type.String(),
      task_id: Type.String(),
      files_num: Type.Integer(),
      redirect_link: Type.String(),
    }),
    errors: ['file_not_found', 'archive_invalid', 'unsupported', 'too_frequent'],
  }),
  pack: endpoint({
    name: 'decompress.pack',
    method: 'POST',
    path: '/drive/v1/files/pack',
    host: 'drive',
    credentials: 'required',
    summary: 'Compress a folder',
    description: 'Creates a zip next to the folder. The folder is kept.',
    body: Type.Object({ folderId: Id }),
    reply: Type.Object({ task_id: Id }),
    errors: ['file_not_found', 'cannot_pack_empty_folder'],
  }),
  unpack: endpoint({
    name: 'decompress.unpack',
    method: 'POST',
    path: '/drive/v1/files/unpack',
    host: 'drive',
    credentials: 'required',
    summary: 'Extract an archive without a password',
    description: 'Extracts it next to the archive.',
    body: Type.Object({ folderId: Id }),
    reply: Type.Object({ task_id: Id }),
    errors: [
      'file_not_found',
      'archive_invalid',
      'unsupported',
      'unzip_password_required',
      'file_space_not_enough',
    ],
  }),
  progress: endpoint({
    name: 'decompress.progress',
    method: 'GET',
    path: '/decompress/v1/progress',
    host: 'drive',
    credentials: 'required',
    summary: 'Get the progress of an extraction',
    query: Type.Object({ task_id: Id }),
    reply: Type.Object({
      progress: Type.Integer(),
      phase: Phase,
      /** Destination folder, once it has been created. */
      file_id: Type.String(),
      task_size: Decimal,
      task_size_completed: Decimal,
      /** Seconds to wait before polling again. */
      expires_in: Type.Integer(),
      error_description: Type.String(),
    }),
    errors: ['task_not_found'],
  }),
};
