import { ApiFailure, ERRORS, gcidBlockSize, isApiFailure } from '@bowerbird/contract';
import { identifyKept, landPart, type Hashing, type LandedPart, type SummedFile } from '@bowerbird/ingest';
import {
  SizeMismatch,
  StagingGone,
  StorageFull,
  StorageUnavailable,
  type BlobStore,
  type Room,
  type Staging,
} from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { SmallBodies } from './upload-small-service.ts';
import { stagingIdOf, storeKeyOf, type KeptContent } from './upload.ts';

/** Whole file in one body. */
export interface Reception {
  /** A chunk is valid until the next one is requested. */
  readonly source: AsyncIterable<Uint8Array>;
  /** Exact size; undefined if the body does not state it. */
  readonly size: number | undefined;
  /** Limit in bytes; a longer body is rejected with `file_space_not_enough` as soon as it exceeds this. */
  readonly most: number;
}

/** Bytes that have a row. */
export interface Received {
  /** Hash of the content; the `blob` of a node. */
  readonly hash: string;
  readonly size: number;
}

export interface Receiving {
  /**
   * Receives a body without a ticket and publishes it when it is complete and durable: `appear` runs in the
   * transaction that creates its row, places it in the tree and charges it. Nothing is kept if it throws, or
   * if the body ends early. Rejects with the source's own error, `upload_size_mismatch`, `disk_full`,
   * `file_space_not_enough`.
   */
  receive<R>(reception: Reception, appear: (tx: Tx, received: Received) => Promise<R>): Promise<R>;
  /** First half of {@link Receiving.receive}: the bytes are durable when it resolves, and belong to nothing yet. */
  keep(reception: Reception): Promise<KeptContent>;
  /** Second half. */
  publish<R>(kept: KeptContent, appear: (tx: Tx, received: Received) => Promise<R>): Promise<R>;
  /** Returns whether this process is receiving the body staged under an id, whatever its age by the clock. */
  isReceiving(id: string): boolean;
}

export interface ReceivingDeps {
  readonly database: Database;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly blobs: Blobs;
  readonly smallBodies: SmallBodies;
  readonly aborting: Aborting;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly room: Room;
}

/**
 * Size of a staged part. Staged bytes without a new part for a day count as abandoned, and even a slow body
 * completes a part in less.
 */
const PART = 256 * 2 ** 20;

export function createReceiving(deps: ReceivingDeps): Receiving {
  const { database, storage, hashing, blobs, smallBodies, aborting, ids, room } = deps;
  const { letGo } = aborting;
  const receiving = new Set<string>();

  async function land(
    staging: Staging,
    { source, size, most }: Reception,
    summed: SummedFile,
  ): Promise<LandedPart[]> {
    const parts: LandedPart[] = [];
    const pieces = pieced(source);
    let at = 0;
    try {
      do {
        const length = size === undefined ? undefined : Math.min(PART, size - at);
        const part = await landPart(
          staging,
          {
            number: parts.length + 1,
            source: pieces.next(PART),
            size: length,
            maxSize: PART,
            // An unknown size is treated as a small file; large content is read again.
            total: size ?? Number.POSITIVE_INFINITY,
            block: gcidBlockSize(size ?? 0),
            position: at,
            summed,
          },
          hashing,
        );
        parts.push(part);
        at += part.size;
        if (at > most) throw new ApiFailure('file_space_not_enough');
      } while (!(await pieces.ended()));
    } finally {
      await pieces.close();
    }
    if (size !== undefined && at !== size) throw new ApiFailure('upload_size_mismatch');
    return parts;
  }

  /** Stages a body part by part, then keeps it. */
  async function stage(reception: Reception): Promise<KeptContent> {
    const id = ids.next();
    const storeKey = storeKeyOf(id, ids.secret().toLowerCase());
    // Reserves space for the whole body at once.
    const claim = await room.claim(reception.size);
    const summed = hashing.digests.summed();
    receiving.add(id);
    try {
      const staging = await storage.stage(stagingIdOf(id));
      const source = claim.through(capped(reception));
      const parts = (await land(staging, { ...reception, source }, summed)).filter((part) => part.size > 0);
      const checksums = await summed.end();
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      await staging.keep(storeKey, parts);
      const known = fitting(parts, size, reception.size);
      return { ...(await identifyKept(storage, storeKey, known, hashing)), checksums, size, storeKey };
    } catch (error) {
      summed.drop();
      letGo(storage.discard(stagingIdOf(id)), storage.remove(storeKey));
      throw error;
    } finally {
      receiving.delete(id);
      claim.release();
    }
  }

  async function arrive(reception: Reception): Promise<KeptContent> {
    const { size } = reception;
    try {
      return size !== undefined && smallBodies.fits({ size })
        ? await smallBodies.keep(ids.next(), size, capped(reception))
        : await stage(reception);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  return {
    isReceiving: (id) => receiving.has(id),
    keep: arrive,
    receive: async (reception, appear) => publish(await arrive(reception), appear),
    publish,
  };

  async function publish<R>(
    { size, storeKey, ...content }: KeptContent,
    appear: (tx: Tx, received: Received) => Promise<R>,
  ): Promise<R> {
    try {
      return await database.transaction(async (tx) => {
        const { row } = await blobs.ensure(tx, { ...content, size, storeKey });
        const result = await appear(tx, { hash: row.hash, size });
        if (row.store_key !== storeKey) tx.afterCommit(() => letGo(storage.remove(storeKey)));
        return result;
      });
    } catch (error) {
      // The bytes may be needed by a commit whose outcome is unknown: if they aren't, they are deleted
      // another day.
      if (isApiFailure(error) && ERRORS[error.id].status < 500) letGo(storage.remove(storeKey));
      throw error;
    }
  }
}

/** API error for an error of the storage. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SizeMismatch) return new ApiFailure('upload_size_mismatch');
  if (error instanceof StorageFull) return new ApiFailure('disk_full');
  if (error instanceof StorageUnavailable || error instanceof StagingGone)
    return new ApiFailure('unavailable');
  return error;
}

/** Stops a body that exceeds the available space. */
async function* capped({ source, most }: Reception): AsyncGenerator<Uint8Array, void, undefined> {
  let passed = 0;
  for await (const chunk of source) {
    passed += chunk.byteLength;
    if (passed > most) throw new ApiFailure('file_space_not_enough');
    yield chunk;
  }
}

/**
 * Drops block digests of another block size than that of the complete file, and that of a truncated last
 * block.
 */
function fitting(parts: readonly LandedPart[], size: number, announced: number | undefined): LandedPart[] {
  const known = announced !== undefined || gcidBlockSize(size) === gcidBlockSize(0);
  return known ? [...parts] : parts.map((part) => ({ ...part, position: undefined }));
}

/** Reads one source as several consecutive ones. */
function pieced(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined;
  let over = false;

  async function read(): Promise<Uint8Array | undefined> {
    const chunk = rest;
    rest = undefined;
    if (chunk) return chunk;
    const { done, value } = await chunks.next();
    over = done === true;
    return over ? undefined : (value as Uint8Array);
  }

  return {
    /** Returns the next `length` bytes, or fewer at the end. */
    async *next(length: number): AsyncGenerator<Uint8Array, void, undefined> {
      for (let left = length; left > 0;) {
        const chunk = await read();
        if (!chunk) return;
        if (chunk.byteLength > left) rest = chunk.subarray(left);
        const taken = rest ? chunk.subarray(0, left) : chunk;
        left -= taken.byteLength;
        yield taken;
      }
    },
    async ended(): Promise<boolean> {
      if (!over) rest = await read();
      return over;
    },
    async close(): Promise<void> {
      await chunks.return?.();
    },
  };
}
