import { openShareApi } from './open-share.ts';
import { ownShareApi } from './own-share.ts';

export { RESTORE_STATUSES, ShareOpening } from './open-share.ts';
export { OwnShare } from './own-share.ts';
export { ShareOwner } from './share-owner.ts';
export { SHARE_STATUSES, ShareStatus } from './share-status.ts';

export const shareApi = {
  ...ownShareApi,
  ...openShareApi,
};
