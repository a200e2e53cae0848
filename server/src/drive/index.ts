export { FILE, FOLDER } from './drive.ts';
export type { BlobRow, Conflict, FileContext, LinkOptions, Links, ListOrder, NodeRow, SignedLink, ThumbnailSize } from './drive.ts';
export type { Blobs, NewBlob } from './drive-blob-service.ts';
export { GraftCancelled, type Graft, type Grafted, type Grafts } from './drive-graft-service.ts';
export type { NewFile, Nodes } from './drive-node-service.ts';
export { fileView } from './drive-view.ts';
