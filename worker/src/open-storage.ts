import { openBlobStore, StorageUnavailable, type BlobStore } from '@bowerbird/storage';

/**
 * Opens the storage at an address without creating it. If it is unavailable, the process prints one sentence and exits:
 * this is not a bug, and the server starts another process when it needs one.
 */
export async function openStorage(address: string): Promise<BlobStore> {
  try {
    return await openBlobStore(address, { create: false });
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
