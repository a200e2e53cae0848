export { createAvatarStore } from './avatar-store.ts';
export { mountDownloads, sender, type Sender } from './download-routes.ts';
export { createDownloads } from './download-service.ts';
export { createLinks, type ShareGate } from './link-service.ts';
export { mountThumbnails } from './thumbnail-routes.ts';
export { createThumbnails } from './thumbnail-service.ts';
export { createThumbnailer, type Thumbnailer } from './thumbnailer.ts';
