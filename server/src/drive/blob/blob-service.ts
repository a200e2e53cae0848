import type { BlobStore } from '@bowerbird/storage';
import type { Clock } from '../../foundation/index.ts';
import { isForeignKeyViolation, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import type { BlobRowStore, UnsummedRow } from './blob-store.ts';
import type { BlobRow } from '../drive.ts';

export interface NewBlob {
  /** SHA-256 over the raw SHA-256 digests of the blocks, lower-case hex. */
  readonly hash: string;
  readonly size: number;
  readonly gcid: string;
  readonly cid: string;
  readonly storeKey: string;
  /** Checksums that were computed while the bytes arrived, if any. */
  readonly checksums?: Checksums | undefined;
}

/** Lower-case hex digests of the whole content. */
export interface Checksums {
  readonly sha1: string;
  readonly md5: string;
}

export interface Blobs {
  /**
   * Inserts the row of durable bytes. If the content is known, returns its row, and the caller removes its own bytes
   * after the commit.
   */
  ensure(tx: Tx, blob: NewBlob): Promise<{ row: BlobRow; known: boolean }>;
  /** Queues the blob for the collector, which deletes it after the grace period unless a node refers to it by then. */
  release(tx: Tx, row: BlobRow): Promise<void>;
  /** Lists blobs without checksums, the newest first, except some ids. */
  unsummed(sql: Sql, except: readonly number[], limit: number): Promise<UnsummedRow[]>;
  setChecksums(tx: Tx, hash: string, checksums: Checksums): Promise<void>;
  /** Lists blobs in the order of their hashes, after a given one. */
  after(sql: Sql, hash: string, limit: number): Promise<BlobRow[]>;
  byHash(sql: Sql, hash: string, size: number): Promise<BlobRow | undefined>;
  byGcid(sql: Sql, gcid: string, size: number): Promise<BlobRow | undefined>;
  /** Returns the hashes whose content is in the account's own drive, including the trash. */
  owned(sql: Sql, account: string, hashes: readonly string[]): Promise<Set<string>>;
  /** Finds content in the account's own drive, including the trash: only such content needs no upload. */
  ownedBy(sql: Sql, account: string, gcid: string, size: number): Promise<BlobRow | undefined>;
  /** Same as {@link Blobs.ownedBy}, by the quick digest. */
  ownedByCid(sql: Sql, account: string, cid: string, size: number): Promise<BlobRow | undefined>;
}

/** Key prefix of the thumbnails of blobs. */
export const THUMBNAIL_PLACE = 'thumbnail';
const BLOB_PLACE = 'blob/';

const GRACE_MS = 24 * 3600 * 1000;
const SLICE = 50;
const KEYS_AT_ONCE = 500;

interface BlobDeps {
  readonly database: Database;
  readonly store: BlobRowStore;
  readonly bytes: BlobStore;
  readonly clock: Clock;
}

export interface Collector {
  /** Deletes blobs that no node has referenced for the grace period, rows first. Returns the number deleted. */
  collect(signal: AbortSignal, graceMs?: number): Promise<number>;
  /** Iterates over objects older than the grace period without a row: their process was killed before inserting it. */
  strays(signal?: AbortSignal): AsyncIterable<string>;
  /** Deletes strays. Returns the number deleted. */
  sweep(signal: AbortSignal): Promise<number>;
}

export function createBlobs({ store, clock }: Pick<BlobDeps, 'store' | 'clock'>): Blobs {
  const matching = (row: BlobRow | undefined, size: number): BlobRow | undefined =>
    row?.size === size ? row : undefined;
  return {
    async ensure(tx, { hash, size, gcid, cid, storeKey, checksums }) {
      for (;;) {
        const row: BlobRow = {
          hash,
          size,
          gcid,
          cid,
          store_key: storeKey,
          created_at: clock.now(),
          quarantined_at: null,
          sha1: checksums?.sha1 ?? null,
          md5: checksums?.md5 ?? null,
        };
        if (await store.insert(tx, row)) return { row, known: false };
        const known = await store.hold(tx, hash);
        if (known && known.md5 === null && checksums) await store.setChecksums(tx, hash, checksums);
        if (known) return { row: known, known: known.store_key !== storeKey };
        // The blob was collected between the two statements: the next attempt inserts the row.
      }
    },
    release: (tx, row) => store.release(tx, row, clock.now()),
    unsummed: (sql, except, limit) => store.unsummed(sql, except, limit),
    setChecksums: (tx, hash, checksums) => store.setChecksums(tx, hash, checksums),
    after: (sql, hash, limit) => store.after(sql, hash, limit),
    byHash: async (sql, hash, size) => matching(await store.byHash(sql, hash), size),
    byGcid: (sql, gcid, size) => store.byGcid(sql, gcid, size),
    owned: (sql, account, hashes) => store.owned(sql, account, hashes),
    ownedBy: (sql, account, gcid, size) => store.ownedBy(sql, account, { gcid }, size),
    ownedByCid: (sql, account, cid, size) => store.ownedBy(sql, account, { cid }, size),
  };
}

export function createCollector({ database, store, bytes, clock }: BlobDeps): Collector {
  async function removeThumbnails(hash: string): Promise<void> {
    for await (const { key } of bytes.list(`${THUMBNAIL_PLACE}/${hash}/`)) await bytes.remove(key);
  }

  async function collectOne(released: { store_key: string; hash: string }): Promise<boolean> {
    const held = await database.transaction(async (tx) => {
      await store.removeUnheld(tx, released);
      return store.exists(tx, released.store_key, released.hash);
    });
    if (!held) {
      await bytes.remove(released.store_key);
      if (!(await store.byHash(database, released.hash))) await removeThumbnails(released.hash);
    }
    await database.transaction((tx) => store.forgetRelease(tx, released.store_key));
    return !held;
  }

  async function* strays(signal?: AbortSignal): AsyncGenerator<string> {
    const before = clock.now() - GRACE_MS;
    let keys: string[] = [];
    for await (const { key, modifiedAt } of bytes.list(BLOB_PLACE)) {
      signal?.throwIfAborted();
      if (modifiedAt.getTime() > before) continue;
      keys.push(key);
      if (keys.length < KEYS_AT_ONCE) continue;
      yield* await store.strayKeys(database, keys);
      keys = [];
    }
    yield* await store.strayKeys(database, keys);
  }

  return {
    strays,
    async sweep(signal) {
      let swept = 0;
      for await (const key of strays(signal)) {
        await bytes.remove(key);
        swept += 1;
      }
      return swept;
    },
    async collect(signal, graceMs = GRACE_MS) {
      let collected = 0;
      for (;;) {
        const due = await store.released(database, clock.now() - graceMs, SLICE);
        for (const released of due) {
          signal.throwIfAborted();
          // If a node starts to reference the blob at this moment, the database refuses to delete the row.
          collected += Number(
            await collectOne(released).catch((error: unknown) =>
              isForeignKeyViolation(error) ? later(released) : Promise.reject(error as Error),
            ),
          );
        }
        if (due.length < SLICE) return collected;
      }
    },
  };

  async function later({ store_key }: { store_key: string }): Promise<boolean> {
    await database.transaction((tx) => store.forgetRelease(tx, store_key));
    return false;
  }
}
