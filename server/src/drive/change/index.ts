export { createBatches, type Batches } from './batch-service.ts';
export { mountChanges, type UploadHandler } from './change-routes.ts';
export { createChanges } from './change-service.ts';
export { createPlacements, type Placements } from './placement-service.ts';
export { mountVersions } from './version-routes.ts';
export { createRenames, type Renames } from './rename-service.ts';
