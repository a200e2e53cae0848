import type { Readable } from 'node:stream';

/**
 * The only access to bytes. Bytes are staged part by part, then kept under a key; kept bytes are immutable. The
 * comments here are binding for every engine; `testing/judge.ts` tests each engine against them.
 *
 * - A key is ours, never built from a user's name: segments of `[a-z0-9_-]` joined by single slashes, at most 512
 *   characters, e.g. `blob/ab/abcdef…`. An upload id is `[A-Za-z0-9_-]`, at most 128 characters. Anything else is
 *   refused with a TypeError before the storage is touched.
 * - Sizes and offsets are bytes as safe integers. Ranges are inclusive at both ends, as in HTTP.
 * - Any call MAY reject with StorageFull or StorageUnavailable; what was durable before stays so.
 * - If a storage disappears while it is open (its disk is unmounted, its service can't be reached), every call rejects
 *   with StorageUnavailable until it is back; it then works again without being reopened. Until then, nothing is
 *   written to the place where it was, nothing is acknowledged, and nothing that it keeps is considered missing or
 *   damaged.
 * - Links in the storage are not followed: bytes behind one are BlobDamaged.
 * - Any number of processes MAY use the same bytes at once. Two of them SHOULD NOT keep or discard the same upload at
 *   the same time (the upload's row decides which one may): if they do, the bytes are kept whole or not at all.
 */
export interface BlobStore {
  readonly capabilities: Capabilities;

  /**
   * Opens the area of one upload, or reopens it after a crash. Idempotent: the same id opens the same area, and the
   * parts written before are still there. From now on `staged()` lists it.
   */
  stage(uploadId: string): Promise<Staging>;

  /**
   * Deletes an upload and releases its bytes. Idempotent; unknown ids are fine. Bytes that have already been kept are
   * never touched. Writes of parts in progress are rejected with StagingGone, at the latest when they end.
   */
  discard(uploadId: string): Promise<void>;

  /**
   * The uploads that have an area, for the collector. `modifiedAt` is when the area was last opened or gained a part
   * (a slow part in progress does not count). An upload MAY still be listed shortly after it was kept, if the process
   * died in between; discarding it then is safe and correct.
   */
  staged(): AsyncIterable<{ uploadId: string; modifiedAt: Date }>;

  /**
   * Keeps small derived bytes (thumbnails) in a single call, replacing those of an earlier `put`. Durable when
   * resolved. Rejects with KeyTaken if bytes kept from parts exist under the key.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;

  /**
   * Opens kept bytes, all or a range whose end is clamped to the blob's. Rejects with BlobNotFound, or with
   * RangeUnsatisfiable if `start` is not inside the blob (which includes every range of an empty blob).
   *
   * The stream delivers exactly `length` bytes or is destroyed with an error (BlobDamaged, StorageUnavailable): it
   * never ends short. It holds no resources before it is first read, or after it has ended or been destroyed.
   */
  open(key: string, range?: ByteRange): Promise<OpenBlob>;

  /** The size of kept bytes, or null when there are none. */
  stat(key: string): Promise<{ size: number } | null>;

  /** Removes kept bytes. Idempotent. Reads in progress MAY continue or fail, but never end short. */
  remove(key: string): Promise<void>;

  /**
   * All kept blobs whose key starts with `prefix` (any string, '' for all), in no particular order; damaged ones are
   * left out.
   */
  list(prefix: string): AsyncIterable<{ key: string; size: number; modifiedAt: Date }>;

  /** Resolves if the storage responds and is the one that was opened; rejects with StorageUnavailable otherwise. */
  health(): Promise<void>;

  /** Bytes that can still be written, or null if unknown or unbounded. */
  freeSpace(): Promise<number | null>;

  /** Closes connections. No other call may follow. */
  close(): Promise<void>;
}

/** Properties in which engines differ and that callers have to know. */
export interface Capabilities {
  /** Visibility of the bytes: in this process alone, in every process on this machine, or on every machine. */
  readonly reach: 'process' | 'machine' | 'network';
  /** True if kept bytes outlive the process. */
  readonly durable: boolean;
}

/** Offsets of the first and the last byte requested, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenBlob {
  /** Size of the whole blob. */
  readonly size: number;
  /** Number of bytes that the stream delivers. */
  readonly length: number;
  /** MUST be consumed or destroyed by the caller, unless `pipeTo` is called instead. */
  readonly stream: Readable;

  /**
   * Sends the same bytes, in order, to a sink, one chunk at a time, and resolves when the sink has taken the last one.
   * For large amounts: a chunk belongs to the sink only until its promise resolves, because its memory is reused after
   * that.
   *
   * Rejects with the errors of the stream, or with the sink's own error; never resolves short. Holds no resources once
   * it has settled. MAY be called once, and not together with the stream.
   */
  pipeTo(sink: (chunk: Uint8Array) => Promise<void>): Promise<void>;
}

/** The area of one upload. Holds no resources of its own, so there is nothing to close. */
export interface Staging {
  readonly uploadId: string;

  /**
   * Writes part `number` (1 to 99,999) completely. When it resolves, the bytes are durable and listed by `parts()`.
   * Parts may arrive in any order, in any size (including 0), and in parallel.
   *
   * Writing a part again replaces it atomically: until it resolves, and forever if it rejects, the earlier version
   * counts. If a part is written several times in parallel, one version wins as a whole; the others MAY be rejected
   * with PartSuperseded.
   *
   * Rejects with the source's or the tap's own error, SizeMismatch, PartTooLarge, or StagingGone if the upload was
   * discarded or kept meanwhile; none of the bytes count then. The source's iterator is always closed: pass
   * `request.iterator({ destroyOnReturn: false })` for a socket that is still needed to send a response.
   */
  writePart(number: number, source: AsyncIterable<Uint8Array>, options?: PartOptions): Promise<PartVersion>;

  /** The parts that are durably staged now, ordered by number; empty after they have been kept or discarded. */
  parts(): Promise<StagedPart[]>;

  /**
   * Joins the given parts, whose numbers must ascend, under `key`. Durable when it resolves; nothing is visible under
   * the key before. O(parts): the bytes are not written again. Staged parts that aren't named are dropped. An empty
   * list makes an empty blob.
   *
   * Idempotent: after a crash at any moment, calling it again with the same arguments completes it. If the key already
   * has bytes of the same size, the staged ones are dropped; if their size differs, rejects with KeyTaken. Rejects
   * with PartMissing if a named part isn't staged in that size, or no longer in that version: with `version`, the
   * caller can be sure to keep exactly the bytes it hashed. After a rejection, the parts are staged as before.
   *
   * An area may be opened again after it was kept. It is empty then, and a blob kept from it under another key is
   * separate from the earlier one: removing one doesn't affect the other.
   */
  keep(key: string, parts: readonly PartChoice[]): Promise<void>;
}

export interface PartOptions {
  /** Exact size in bytes; longer and shorter sources are refused with SizeMismatch. */
  readonly size?: number | undefined;
  /** Maximum size in bytes; refused with PartTooLarge as soon as the source exceeds it. */
  readonly maxSize?: number | undefined;
  /**
   * Called with each chunk exactly once, in order, while it is written. MAY return a promise to slow the source down
   * (such as hashing in another thread); the write of the part ends only after all of these promises. Neither the tap
   * nor the source may change a chunk after passing it on, unless `spent` has been called with it.
   */
  readonly tap?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  /**
   * Called with chunks whose memory neither the engine nor the tap needs any longer, so that the source can reuse it.
   * MAY be called late, or never.
   */
  readonly spent?: ((chunk: Uint8Array) => void) | undefined;
}

export interface PartVersion {
  readonly size: number;
  /** Opaque, at most 64 characters of `[a-z0-9-]`, different for every write of a part. */
  readonly version: string;
}

export interface StagedPart extends PartVersion {
  readonly number: number;
}

export interface PartChoice {
  readonly number: number;
  readonly size: number;
  /** Version returned by writePart. Without it, the version that is staged now is used. */
  readonly version?: string | undefined;
}
