export { createVersions, isPinned, type Versions } from './version-service.ts';
export { createVersionStore, type VersionRow, type VersionStore } from './version-store.ts';
export { versionView } from './version-view.ts';
