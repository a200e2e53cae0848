export { createChecker, type Finding } from './check-service.ts';
export { createCheckStore } from './check-store.ts';
export { createDriveEraser } from './erasing-service.ts';
export { createRetention, type Retention, type TrashPlace } from './retention-service.ts';
