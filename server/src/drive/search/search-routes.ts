import {
  driveApi,
  formatSearch,
  pageSize,
  parseSearch,
  type SearchHit,
  type SearchQuery,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import { accessContext, accessibleView, type Accesses } from '../access/index.ts';
import type { FileContext, Links } from '../drive.ts';
import type { AnnotationsOf, TrashRules } from '../node/index.ts';
import type { MatchPlace } from './name-stream.ts';
import type { Searches } from './search-service.ts';

const PAGE = 50;
const PAGE_MOST = 100;

export interface SearchParameters {
  readonly q: string;
  readonly limit?: number | string;
  readonly page_token?: string;
  readonly time_zone?: string;
}

/** Reads what searches of drives and shares have in common; `list` names everything else that the result depends on. */
export function searchPage(
  cursors: Cursors,
  { q, limit, page_token: token, time_zone: zone = 'UTC' }: SearchParameters,
  list: readonly unknown[],
): {
  query: SearchQuery;
  limit: number;
  zone: string;
  place: MatchPlace | undefined;
  tokenOf: (place: MatchPlace | undefined) => string;
} {
  const query = parseSearch(q);
  const named = JSON.stringify(['search', ...list, formatSearch(query), zone]);
  return {
    query,
    zone,
    limit: pageSize(limit, PAGE, PAGE_MOST),
    place: cursors.place(named, token) as MatchPlace | undefined,
    tokenOf: (place) => (place ? cursors.token(named, place) : ''),
  };
}

export function mountSearches(
  api: Api,
  {
    database,
    cursors,
    searches,
    accesses,
    links,
    trashRules,
    annotationsOf,
  }: {
    database: Database;
    cursors: Cursors;
    searches: Searches;
    accesses: Accesses;
    links: Links;
    trashRules: Pick<TrashRules, 'trash'>;
    annotationsOf: AnnotationsOf;
  },
): void {
  api.handle(driveApi.search, async ({ query, viewer, caller }) => {
    const folder = query.parent_id || undefined;
    const access = await accesses.of(database, viewer.account, [folder], 'view');
    const { account, roots, role } = access;
    const place = query.place ?? 'drive';
    const area = role === 'owner' ? place : { roots };
    const { tokenOf, ...page } = searchPage(cursors, query, [viewer.account, account, place, folder]);
    // Stars, tags and links of the owner are not for others to find.
    const { is, tags } = page.query.filters;
    if (role !== 'owner' && (is || tags || place !== 'drive')) return { files: [], next_page_token: '' };
    const { found, next } = await searches.find({ account, area, folder, ...page });
    const context: FileContext = {
      ...accessContext(access, caller, links, query.thumbnail_size),
      ...(area === 'trash' && {
        trashed: true,
        trashDays: (await trashRules.trash(database, account)).daysOf,
      }),
      annotations: await annotationsOf(
        database,
        account,
        role === 'owner' ? found.map(({ node }) => node.id) : [],
      ),
    };
    return {
      files: found.map(({ node, path, matches, note }): SearchHit => ({
        ...accessibleView(node, access, context),
        path: [...path],
        matches,
        ...(note && { note: { text: note.text, matches: note.matches } }),
      })),
      next_page_token: tokenOf(next),
    };
  });
}
