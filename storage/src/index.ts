export { openBlobStore } from './open-store.ts';
export type { OpenOptions } from './open-store.ts';
export { createRoom } from './room.ts';
export type { Room, RoomClaim, RoomStatus } from './room.ts';
export type {
  BlobStore,
  ByteRange,
  Capabilities,
  OpenBlob,
  PartChoice,
  PartOptions,
  PartVersion,
  StagedPart,
  Staging,
} from './blob-store.ts';
export {
  BlobDamaged,
  BlobNotFound,
  KeyTaken,
  PartMissing,
  PartSuperseded,
  PartTooLarge,
  RangeUnsatisfiable,
  SizeMismatch,
  StagingGone,
  StorageError,
  StorageFull,
  StorageMissing,
  StorageUnavailable,
} from './storage-errors.ts';
