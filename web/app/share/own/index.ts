/** A member's own shares: the list of them, and the dialog that creates or changes one. */
export { OwnShares } from './own-shares.tsx';
export { loadOwnShares, OWN_SHARES } from './own-shares-query.ts';
export { ShareDialog } from './share-dialog.tsx';
