import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLocalStore } from './local-store.ts';
import { createMemoryStore } from './memory-store.ts';
import type { BlobStore } from './blob-store.ts';

export interface OpenOptions {
  /** Base of a relative path; the working directory by default. */
  readonly relativeTo?: string;
  /** True to create a storage if none exists yet. Otherwise, opening rejects with StorageMissing. */
  readonly create?: boolean;
}

/**
 * Opens the storage at an address; creates it if it doesn't exist, unless `create` is false:
 *
 * - `/path`, `path` or `file:///path`: a folder of this machine
 * - `s3://key:secret@host:port/bucket/prefix?region=…&tls=0|1&pathStyle=0|1`: a bucket of an S3 service
 * - `memory:`: this process's memory, for tests
 *
 * Rejects with a TypeError if the address is none of these, with StorageUnavailable if the storage isn't usable.
 */
export async function openBlobStore(
  address: string,
  { relativeTo = '.', create = true }: OpenOptions = {},
): Promise<BlobStore> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return openLocalStore(resolve(relativeTo, address), { create });
    case 'file':
      return openLocalStore(fileURLToPath(address), { create });
    case 'memory':
      return createMemoryStore();
    case 's3': {
      // Loaded on demand: installations that keep bytes on disk don't need the SDK.
      const { openS3Store, s3PlaceOf } = await import('./s3-store.ts');
      return openS3Store(s3PlaceOf(new URL(address)), { create });
    }
    default:
      throw new TypeError(`Not a storage address: unknown scheme ${scheme}:`);
  }
}
