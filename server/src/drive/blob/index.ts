export {
  createBlobs,
  createCollector,
  THUMBNAIL_PLACE,
  type Blobs,
  type Collector,
  type NewBlob,
} from './blob-service.ts';
export { createBlobStore, type BlobRowStore } from './blob-store.ts';
export { openStorage, StorageRefused } from './opening-service.ts';
