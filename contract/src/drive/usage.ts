import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, Limit, oneOf, PageToken, ThumbnailSize } from '../wire.ts';
import { File } from './file.ts';

/** Lists of what uses a member's storage, or could be tidied up. */
export const USAGE_LISTS = ['largest', 'oldest', 'duplicates', 'empty_folders'] as const;
export type UsageList = (typeof USAGE_LISTS)[number];

export const usageApi = {
  usage: endpoint({
    name: 'drive.usage',
    method: 'GET',
    path: '/drive/v1/usage/files',
    host: 'drive',
    credentials: 'required',
    summary: 'List what uses the storage',
    description:
      'Returns files and folders of the whole drive without the trash: the thousand largest files, the thousand that were not modified for longest, files with the same content, or folders without any file. `params.folder_path` names their folder. In a large drive that changes all the time, the list may be a few seconds old; items that do not exist any more are left out.',
    query: Type.Object({
      list: oneOf(USAGE_LISTS),
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
    }),
    reply: Type.Object({
      /**
       * Duplicates are grouped by content; `params.copy` and `params.copies` tell which of how many copies it is, the
       * oldest first. The group that would free the most comes first.
       */
      files: Type.Array(File),
      next_page_token: Type.String(),
      /** Number of items in the list; "-1" for duplicates. */
      total: Decimal,
      /** Number of contents that the drive has more than once; 0 in other lists. */
      groups: Type.Integer(),
      /** Bytes that would be freed if one copy of each remained; "0" in other lists. */
      gain: Decimal,
    }),
    errors: ['invalid_argument'],
  }),
};
