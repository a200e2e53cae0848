import {
  ApiFailure,
  DEFAULT_ORDER,
  frozenList,
  LIMITS,
  orderName,
  pageSize,
  parseOrder,
  type File,
} from '@bowerbird/contract';
import type { Cursors, Database } from '../foundation/database/index.ts';
import { createWeightedCache } from '../foundation/index.ts';
import { FOLDER, type Links, type ListOrder, type NodeRow, type Nodes } from '../drive/index.ts';
import type { Opened, ShareEntry } from './share-entry-service.ts';
import { pageOfRoots } from './share-roots.ts';
import { sharedFilesView, thumbnailSize } from './share-view.ts';

export interface PageQuery {
  limit?: number | string;
  page_token?: string;
  order?: string;
  folders_first?: string;
  thumbnail_size?: string;
}

/** Page of a folder of a share, or of its roots. It must not be changed: other visitors get the same. */
export interface Listing {
  readonly files: File[];
  readonly nextPageToken: string;
  /** Folders from the share's root down to the listed one. */
  readonly ancestors: { id: string; name: string }[];
}

export interface Listings {
  /**
   * Lists a folder of an open share, or its roots for "". Throws `file_not_found` if the share contains no such folder.
   */
  page(entered: Opened, folder: string, query: PageQuery, origin: string): Promise<Listing>;
}

/** Number of files that are remembered, in all listings. A listing itself counts as ten. */
const FILES_KEPT = 3000;

const orderOf = ({ order, folders_first: foldersFirst }: PageQuery): ListOrder => ({
  ...(parseOrder(order) ?? DEFAULT_ORDER),
  foldersFirst: foldersFirst !== 'false',
});

export const rootIds = (roots: readonly NodeRow[]): Set<string> => new Set(roots.map(({ id }) => id));

/**
 * Listings of shares. They are remembered under everything that they depend on, as in the tags of conditional requests
 * (docs/decisions/0043-conditional-requests.md): above all, the version of the owner's tree.
 */
export function createListings({
  database,
  cursors,
  nodes,
  links,
  entry,
}: {
  database: Database;
  cursors: Cursors;
  nodes: Nodes;
  links: Links;
  entry: Pick<ShareEntry, 'reference'>;
}): Listings {
  const kept = createWeightedCache<Listing>({
    most: FILES_KEPT,
    weightOf: ({ files }) => files.length + 10,
  });

  async function read(
    { share, roots }: Opened,
    folder: string,
    query: PageQuery,
    origin: string,
  ): Promise<Listing> {
    const order = orderOf(query);
    const ids = rootIds(roots);
    const chain = folder === '' ? [] : await nodes.withinRoots(database, folder, ids);
    if (!chain || (folder !== '' && chain.at(-1)?.kind !== FOLDER)) throw new ApiFailure('file_not_found');
    const list = `share:${share.id}:${folder}:${orderName(order)}:${order.foldersFirst}`;
    const at = {
      limit: pageSize(query.limit, LIMITS.page, LIMITS.pageMax),
      place: cursors.place(list, query.page_token),
    };
    const { rows, next } =
      folder === ''
        ? pageOfRoots(roots, order, at)
        : await nodes.shownChildren(database, folder, { order, ...at });
    const size = thumbnailSize(query.thumbnail_size);
    const files = sharedFilesView(rows, share, ids, {
      links,
      origin,
      size,
      reference: entry.reference(share),
    });
    return {
      files: frozenList(files),
      nextPageToken: next ? cursors.token(list, next) : '',
      ancestors: frozenList(chain.map(({ id, name }) => ({ id, name }))),
    };
  }

  return {
    async page(entered, folder, query, origin) {
      const { share, treeVersion } = entered;
      const key = JSON.stringify([
        entry.reference(share),
        treeVersion,
        links.period(),
        origin,
        folder,
        query.limit,
        query.page_token,
        query.order,
        query.folders_first,
        query.thumbnail_size,
      ]);
      const known = kept.get(key);
      if (known) return known;
      const listing = await read(entered, folder, query, origin);
      kept.set(key, listing);
      return listing;
    },
  };
}
