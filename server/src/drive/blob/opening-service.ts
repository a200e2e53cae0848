import {
  BlobDamaged,
  openBlobStore,
  StorageMissing,
  StorageUnavailable,
  type BlobStore,
} from '@bowerbird/storage';
import type { Database } from '../../foundation/database/index.ts';
import { createBlobStore } from './blob-store.ts';

/** Thrown if the storage can't be used with this database; the message contains the remedy. */
export class StorageRefused extends Error {
  override name = 'StorageRefused';
}

/** Number of files that are checked, among the first and the last that were added. */
const LOOKED_FOR = 8;

/**
 * Opens the storage at an address. Creates it only for a database that has no files yet: an empty storage beside
 * a database with files is a disk that isn't mounted, or the wrong address, and uploads to it would be lost. A
 * new database, with neither accounts nor files, accepts only an empty storage: everything in another
 * installation's storage would be deleted, since no row refers to it.
 */
export async function openStorage(
  address: string,
  database: Database,
  { hasAccounts }: { hasAccounts: boolean },
): Promise<BlobStore> {
  const blobs = createBlobStore();
  const expected = await blobs.outermostKeys(database, LOOKED_FOR);
  const isNew = !hasAccounts && !(await blobs.hasAny(database));
  const place = withoutSecret(address);
  try {
    const storage = await openBlobStore(address, { create: expected.length === 0 });
    const fits = isNew
      ? await isEmpty(storage)
      : expected.length === 0 || (await holdsAny(storage, expected));
    if (fits) return storage;
    await storage.close();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    if (!(error instanceof StorageMissing))
      throw new StorageRefused(`${place} can’t be used. ${error.message}.`, { cause: error });
  }
  if (isNew)
    throw new StorageRefused(
      `${place} contains files, but the database is new and doesn’t know them. If they belong to this installation, ` +
        'restore its database from a backup, or correct DATA_DIR or DATABASE_URL. If they don’t, use another folder or ' +
        'STORAGE_URL. Then start again. Nothing was changed.',
    );
  throw new StorageRefused(
    `The database has files whose data isn’t in ${place}. Mount the disk they’re on, restore it from a backup, ` +
      'or correct DATA_DIR or STORAGE_URL. Then start again. Nothing was changed. To start over without these files, ' +
      'also use a new database.',
  );
}

async function isEmpty(storage: BlobStore): Promise<boolean> {
  for await (const _ of storage.list('')) return false;
  return true;
}

async function holdsAny(storage: BlobStore, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const found = await storage.stat(key).catch((error: unknown) => {
      if (error instanceof BlobDamaged) return error;
      throw error;
    });
    if (found) return true;
  }
  return false;
}

/** The address of an S3 service contains its secret key. */
function withoutSecret(address: string): string {
  if (!/^s3:/i.test(address)) return address;
  const { host, pathname } = new URL(address);
  return `s3://${host}${pathname}`;
}
