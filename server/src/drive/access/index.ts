export { createAccesses, type Accesses } from './access-service.ts';
export { accessContext, accessibleView } from './access-view.ts';
export { memberOfReference, memberReference, ownAccess, type Access, type GrantRow } from './access.ts';
export { createGrantStore, type GrantStore } from './grant-store.ts';
