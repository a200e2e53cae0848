import type { OpenShare, ShareListing } from './share-data.ts';

/** The folder that a share's address names; "" at its beginning. */
export const folderOf = (path: string | undefined): string =>
  path?.split('/').findLast((part) => part !== '') ?? '';

/** The folders of the way to the listed one that addresses name: a share of one folder begins inside it. */
export function wayOf(
  { entrance }: Pick<OpenShare, 'entrance'>,
  { ancestors }: Pick<ShareListing, 'ancestors'>,
) {
  return ancestors.filter(({ id }) => id !== '' && id !== entrance);
}

/** Address of a folder of the share: an ancestor of the listed one, or a folder in it. */
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
