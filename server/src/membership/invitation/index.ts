export { INVITE_GUESSES } from './invitation-limits.ts';
export { mountInvitations } from './invitation-routes.ts';
export { createInvites, type Invites } from './invitation-service.ts';
export { invitationStore } from './invitation-store.ts';
export type { Invitation } from './invitation.ts';
export { mountPromoting } from './promoting-routes.ts';
export { createPurchaseRewards, type PurchaseRewards } from './purchase-service.ts';
export { createNewcomers, type Newcomers } from './newcomer-service.ts';
