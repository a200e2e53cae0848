/**
 * A member's own shares: the list of them, and the dialog that creates or changes one. Also the people with access to
 * files, and what others share with the member.
 */
export { OwnShares } from './own-shares.tsx';
export { loadOwnShares, OWN_SHARES } from './own-shares-query.ts';
export { ShareDialog } from './share-dialog.tsx';
export { loadShared, PEOPLE, SHARED, SharedItems } from './people/index.ts';
