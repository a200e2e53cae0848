export { createFolderSizeStore, type FolderSizeStore } from './folder-size-store.ts';
export { movedTo, type Contents, type Gain } from './folder-size.ts';
