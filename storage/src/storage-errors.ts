/**
 * Errors of the storage, each with its own type so that callers can use `instanceof`. Errors of the caller's own
 * source or tap are never wrapped: they are passed on unchanged.
 */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** No bytes are kept under this key. */
export class BlobNotFound extends StorageError {
  override name = 'BlobNotFound';
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`No blob is kept under ${key}`, options);
    this.key = key;
  }
}

/** The kept bytes are shorter than they should be, or a segment of them is missing or unreadable. */
export class BlobDamaged extends StorageError {
  override name = 'BlobDamaged';
  readonly key: string;
  constructor(key: string, detail: string, options?: ErrorOptions) {
    super(`Blob ${key} is damaged: ${detail}`, options);
    this.key = key;
  }
}

/** The range starts at or after the end of the blob. `size` is the blob's, in bytes. */
export class RangeUnsatisfiable extends StorageError {
  override name = 'RangeUnsatisfiable';
  readonly size: number;
  constructor(size: number) {
    super(`The range lies outside of ${size} bytes`);
    this.size = size;
  }
}

/** Other bytes (of another size, or kept by other means) are already kept under this key. */
export class KeyTaken extends StorageError {
  override name = 'KeyTaken';
  readonly key: string;
  constructor(key: string) {
    super(`Other bytes are kept under ${key}`);
    this.key = key;
  }
}

/** The staged upload was discarded or kept meanwhile; nothing of this call counts. */
export class StagingGone extends StorageError {
  override name = 'StagingGone';
  readonly uploadId: string;
  constructor(uploadId: string, options?: ErrorOptions) {
    super(`Upload ${uploadId} is no longer staged`, options);
    this.uploadId = uploadId;
  }
}

/** keep() named a part that is not staged, or not in the size or version that is staged now. */
export class PartMissing extends StorageError {
  override name = 'PartMissing';
  readonly number: number;
  constructor(number: number) {
    super(`Part ${number} is not staged as asked for`);
    this.number = number;
  }
}

/** Another write of the same part finished meanwhile and won; nothing of this one counts. */
export class PartSuperseded extends StorageError {
  override name = 'PartSuperseded';
  readonly number: number;
  constructor(number: number) {
    super(`Part ${number} was written again meanwhile`);
    this.number = number;
  }
}

/** The source ended before or continued after its declared size. Both in bytes. */
export class SizeMismatch extends StorageError {
  override name = 'SizeMismatch';
  readonly expected: number;
  readonly received: number;
  constructor(expected: number, received: number) {
    super(`Expected ${expected} bytes but received ${received > expected ? 'more' : received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** The source continued after `maxSize`, in bytes. */
export class PartTooLarge extends StorageError {
  override name = 'PartTooLarge';
  readonly maxSize: number;
  constructor(maxSize: number) {
    super(`The part is larger than ${maxSize} bytes`);
    this.maxSize = maxSize;
  }
}

/** No space is left (on the disk, or in the quota of the disk or bucket). Bytes kept before are unharmed. */
export class StorageFull extends StorageError {
  override name = 'StorageFull';
  constructor(options?: ErrorOptions) {
    super('No space is left in the storage', options);
  }
}

/** The storage can't be reached, doesn't work right now, or is no longer where it was. A retry may succeed later. */
export class StorageUnavailable extends StorageError {
  override name = 'StorageUnavailable';
  constructor(detail: string, options?: ErrorOptions) {
    super(`The storage is unavailable: ${detail}`, options);
  }
}

/** No storage exists at the address: an empty or missing folder, or a missing bucket. Thrown only when opening it. */
export class StorageMissing extends StorageUnavailable {
  override name = 'StorageMissing';
}
