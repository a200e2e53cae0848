export { createPurges, purgePlace, type Purges, type Purging } from './purge-service.ts';
export { createPurgeStore, type PurgeStore } from './purge-store.ts';
export { createTrashCan, type TrashCan } from './trash-service.ts';
