import { setTimeout as sleep } from 'node:timers/promises';
import { checksumsOf, type Hashing } from '@bowerbird/ingest';
import { BlobDamaged, BlobNotFound, type BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';

/** Computes checksums of content uploaded in parts, or before checksums existed, by reading its bytes again. */
export interface ChecksumBackfill {
  /** Computes missing checksums, the newest blobs first. When interrupted, it resumes with the same blob. */
  fill(signal: AbortSignal): Promise<void>;
}

/** Blobs younger than this are read at full speed, older ones at half speed, to spare other requests. */
const FRESH_MS = 3600 * 1000;
/** Small, so that new blobs do not wait behind many old ones. */
const SLICE = 4;

export function createChecksumBackfill({
  database,
  storage,
  hashing,
  blobs,
  clock,
  log,
}: {
  database: Database;
  storage: BlobStore;
  hashing: Hashing;
  blobs: Blobs;
  clock: Clock;
  log: Log;
}): ChecksumBackfill {
  /** Unreadable blobs, which are not tried again: `check` reports missing and damaged ones. */
  const unreadable = new Set<number>();

  /** Sleeps as long as the preceding work took, for old content. */
  function pacer(isFresh: boolean, signal: AbortSignal): () => Promise<void> {
    let since = performance.now();
    return async () => {
      signal.throwIfAborted();
      if (!isFresh) await sleep(performance.now() - since);
      since = performance.now();
    };
  }

  return {
    async fill(signal) {
      for (;;) {
        const rows = await blobs.unsummed(database, [...unreadable], SLICE);
        for (const { id, hash, store_key: key, created_at: createdAt } of rows) {
          signal.throwIfAborted();
          const isFresh = createdAt > clock.now() - FRESH_MS;
          try {
            const checksums = await checksumsOf(storage, key, hashing, pacer(isFresh, signal));
            await database.transaction((tx) => blobs.setChecksums(tx, hash, checksums), { durable: false });
          } catch (error) {
            if (!(error instanceof BlobDamaged || error instanceof BlobNotFound)) throw error;
            unreadable.add(id);
            log.warn({ err: error, blob: hash }, 'could not compute checksums of blob');
          }
        }
        if (rows.length === 0) return;
      }
    },
  };
}
