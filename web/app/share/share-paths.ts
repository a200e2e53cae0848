import type { OpenShare, ShareListing } from './share-data.ts';

/** Folder in a share's address; "" for its start. */
export const folderOf = (path: string | undefined): string =>
  path?.split('/').findLast((part) => part !== '') ?? '';

/** Ancestors of the listed folder that addresses contain: a share of a single folder starts inside it. */
export function wayOf(
  { entrance }: Pick<OpenShare, 'entrance'>,
  { ancestors }: Pick<ShareListing, 'ancestors'>,
) {
  return ancestors.filter(({ id }) => id !== '' && id !== entrance);
}

/** Returns the address of a folder of the share: an ancestor of the listed one, or a folder in it. */
export function folderPath(
  share: Pick<OpenShare, 'id' | 'entrance'>,
  listing: Pick<ShareListing, 'ancestors'>,
  folderId: string,
): string {
  const base = `/s/${share.id}`;
  if (folderId === '' || folderId === share.entrance) return base;
  const way = wayOf(share, listing).map(({ id }) => id);
  const at = way.indexOf(folderId);
  return [base, ...(at < 0 ? way : way.slice(0, at)), folderId].join('/');
}
