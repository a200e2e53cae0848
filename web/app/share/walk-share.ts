import type { QueryClient } from '@tanstack/react-query';
import { orderName } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { queryClient } from '#app/api/query.ts';
import { loadFolder, type ListingMode, type OpenShare, type ShareListing } from './share-data.ts';

const modeKey = (mode: ListingMode): string => `${orderName(mode.order)} ${mode.pinFoldersTop}`;

const listingKey = (shareId: string, folderId: string, mode: ListingMode) =>
  ['share', shareId, 'listing', folderId, modeKey(mode)] as const;

/** Key of all entries of a folder, of which the listing contains the first page. */
export const entriesKey = (shareId: string, folderId: string, mode: ListingMode) =>
  ['share', shareId, 'entries', folderId, modeKey(mode)] as const;

/** Returns the listing of a folder, cached for half a minute; undefined if the share no longer contains it. */
export function walkTo(
  share: OpenShare,
  folderId: string,
  mode: ListingMode,
): Promise<ShareListing | undefined> {
  const listed = folderId || share.entrance;
  return queryClient()
    .fetchQuery({
      queryKey: listingKey(share.id, listed, mode),
      // The cache can't store undefined.
      queryFn: async () =>
        (await loadFolder(call, share.id, share.opening.pass_code_token, listed, mode)) ?? null,
    })
    .then((listing) => listing ?? undefined);
}

/** Caches the server's listing, so that going back to it needs no request. */
export function rememberListing(
  client: QueryClient,
  shareId: string,
  listing: ShareListing,
  mode: ListingMode,
): void {
  client.setQueryData(listingKey(shareId, listing.folderId, mode), listing);
}
