import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Id, oneOf, PageToken, ThumbnailSize } from '../wire.ts';
import { File } from './file.ts';

/** A file or folder whose name, or the member's note about it, matches a search. */
export const SearchHit = Type.Object({
  ...File.properties,
  /**
   * The folders above it, from the top down; empty if it is in the root of the drive or share. In the trash, the first
   * is the trashed folder, which can only be restored as a whole; empty if the item itself was trashed.
   */
  path: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  /**
   * Matching parts, in order and without overlaps: [start, end) of `name` in UTF-16 units. Empty if only filters were
   * given.
   */
  matches: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  /** Part of the member's note about the item, if that is what matches, and the matching parts of it. */
  note: Type.Optional(
    Type.Object({
      text: Type.String(),
      matches: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

/** Places to search: everything that isn't trashed, or only the trash. */
export const SEARCH_PLACES = ['drive', 'trash'] as const;

/** Parameters of searches of a drive and of a share. */
export const SearchPage = {
  q: Type.String({
    maxLength: 2000,
    description:
      'Words, all of which names, or the member’s notes, must contain; quotes make one word of several. Filters: `type:video`, `ext:pdf`, `>1gb`, `<500kb`, `size:1gb..2gb`, `after:2026-01-31`, `before:2026-01-31`, `modified:7d`, `in:Photos`, `is:starred`, `is:shared`, `tag:invoices`.',
  }),
  parent_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'ID of a folder to search below. Default: everything.' }),
  ),
  limit: Type.Optional(
    Type.Union([Type.Integer(), Type.String()], {
      description: 'Items per page, from 1 to 100. Larger values are clamped. Default: 50.',
    }),
  ),
  page_token: PageToken,
  thumbnail_size: Type.Optional(ThumbnailSize),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Time zone in which days begin, such as `Europe/Berlin`. Default: `UTC`.',
    }),
  ),
};

export const searchApi = {
  search: endpoint({
    name: 'drive.search',
    method: 'GET',
    path: '/drive/v1/search',
    host: 'drive',
    credentials: 'required',
    summary: 'Search your drive',
    description:
      'Finds files and folders by name, regardless of case, accents and width. The best matches come first: whole names, beginnings of names, beginnings of words, then all others, each with the newest first. A page may have fewer items than requested, or none, although more follow: `next_page_token` is empty after the last one.',
    query: Type.Object({
      ...SearchPage,
      place: Type.Optional(oneOf(SEARCH_PLACES, '`drive` (default) or `trash`.')),
    }),
    reply: Type.Object({ files: Type.Array(SearchHit), next_page_token: Type.String() }),
    errors: ['file_not_found', 'invalid_argument'],
  }),
};
