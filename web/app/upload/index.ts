/**
 * Uploads: the engine and its user interface. `<UploadProvider user onLanded>` once around the drive;
 * `useUploads().pick('files' | 'folder', target)` from menus; `take` for drops; `<UploadRing onOpen>` in the top
 * bar and `<UploadTray tray>` with `useTray()` in the layout.
 */
export { UploadProvider, useUploads, useUploadSnapshot } from './upload-provider.tsx';
export type { Target } from './upload-item.ts';
export { UploadRing } from './tray/upload-ring.tsx';
export { UploadTray, useTray } from './tray/upload-tray.tsx';
