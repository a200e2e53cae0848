export { createVersions, type Versions } from './version-service.ts';
export { createVersionStore, type VersionStore } from './version-store.ts';
export { versionView } from './version-view.ts';
export { isPinned, type VersionRow } from './version.ts';
