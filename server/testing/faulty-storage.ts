import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore, type BlobStore } from '@bowerbird/storage';

/** Faults that occur from now on; fields that are unset cause none. */
export interface Faults {
  /** Also for small bodies, which have no parts. */
  writePart?: Error | undefined;
  /** For small bodies, which have no parts, occurs after they are kept. */
  keep?: Error | undefined;
  open?: Error | undefined;
  freeSpace?: number | undefined;
}

export interface FaultyStorage {
  readonly storage: BlobStore;
  readonly faults: Faults;
}

/** A real store that fails on demand. */
export function faultyStorage(store: BlobStore): FaultyStorage {
  const faults: Faults = {};
  const storage: BlobStore = {
    ...store,
    async stage(uploadId) {
      const staging = await store.stage(uploadId);
      return {
        ...staging,
        writePart: (number, source, options) =>
          staging.writePart(
            number,
            (async function* () {
              for await (const chunk of source) {
                yield chunk;
                if (faults.writePart) throw faults.writePart;
              }
            })(),
            options,
          ),
        keep: (key, parts) => (faults.keep ? Promise.reject(faults.keep) : staging.keep(key, parts)),
      };
    },
    async put(key, bytes) {
      if (faults.writePart) throw faults.writePart;
      await store.put(key, bytes);
      if (faults.keep) throw faults.keep;
    },
    open: (key, range) => (faults.open ? Promise.reject(faults.open) : store.open(key, range)),
    freeSpace: async () => faults.freeSpace ?? (await store.freeSpace()),
  };
  return { storage, faults };
}

/** Kinds of storage that installations use. */
export const STORAGE_ENGINES = ['disk', 's3'] as const;

export interface NewFaultyStorage extends FaultyStorage {
  remove(): Promise<void>;
}

/** A new store that fails on demand, on the disk or in a bucket. `remove` deletes it after it is closed. */
export async function newFaultyStorage(engine: (typeof STORAGE_ENGINES)[number]): Promise<NewFaultyStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-storage-'));
  const bucket = new URL(process.env['TEST_S3_URL']!);
  bucket.pathname += `/storage-${randomBytes(6).toString('hex')}`;
  const address = engine === 'disk' ? folder : bucket.href;
  return {
    ...faultyStorage(await openBlobStore(address)),
    async remove(): Promise<void> {
      const store = await openBlobStore(address);
      for await (const { key } of store.list('')) await store.remove(key);
      for await (const { uploadId } of store.staged()) await store.discard(uploadId);
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
