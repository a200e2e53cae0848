import { ApiFailure, shareApi, type SearchHit } from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { FOLDER, searchPage, type Links, type Nodes, type Searches } from '../drive/index.ts';
import { isOpen, type ShareEntry } from './share-entry-service.ts';
import { rootIds } from './share-listings.ts';
import { sharedFileView, statusText, thumbnailSize } from './share-view.ts';

/** Searching for visitors, who are admitted as for listing. */
export function mountShareSearch(
  api: Api,
  {
    database,
    cursors,
    nodes,
    links,
    entry,
    searches,
  }: {
    database: Database;
    cursors: Cursors;
    nodes: Nodes;
    links: Links;
    entry: ShareEntry;
    searches: Searches;
  },
): void {
  api.handle(shareApi.search, async ({ query: asked, caller }) => {
    const entered = await entry.enter(caller, { shareId: asked.share_id, token: asked.pass_code_token });
    const verdict = {
      share_status: entered.status,
      share_status_text: statusText(caller.locale, entered.status, entered.share),
    };
    if (!isOpen(entered)) return { ...verdict, files: [], next_page_token: '' };
    const { share } = entered;
    const roots = rootIds(entered.roots);
    const folder = asked.parent_id || undefined;
    if (folder !== undefined) {
      const chain = await nodes.withinRoots(database, folder, roots);
      if (chain?.at(-1)?.kind !== FOLDER) throw new ApiFailure('file_not_found');
    }
    const { query, tokenOf, ...page } = searchPage(cursors, asked, ['share', share.id, folder]);
    // Stars and other shares are the owner's notes.
    const { is: _, tags: __, ...filters } = query.filters;
    const { found, next } = await searches.find({
      account: share.account,
      area: { roots },
      folder,
      query: { ...query, filters },
      ...page,
    });
    const context = {
      links,
      origin: caller.origin,
      size: thumbnailSize(asked.thumbnail_size),
      reference: entry.reference(share),
    };
    return {
      ...verdict,
      files: found.map(({ node, path, matches }): SearchHit => ({
        ...sharedFileView(node, share, roots, context),
        path: [...path],
        matches,
      })),
      next_page_token: tokenOf(next),
    };
  });
}
