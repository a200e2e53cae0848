import { ApiFailure } from '@bowerbird/contract';
import type { Sql } from '../foundation/database/index.ts';
import type { UploadHandler } from './change/index.ts';
import type { PendingFile } from './node/index.ts';

type Reserved = (sql: Sql) => Promise<ReadonlyMap<string, number>>;

/** Hooks for the domains by which files arrive, which are created after the drive. */
export interface ArrivalHooks {
  /** Hook for uploads: handles the creation of files, and reports files whose bytes are still arriving. */
  onUpload(upload: { create: UploadHandler; pending: PendingFile; reserved: Reserved }): void;
  /** Hook for cloud downloads: handles their creation, and reports the quota reserved for unfinished ones. */
  onFetch(fetch: { create: UploadHandler; reserved: Reserved }): void;
  /** Hook for extractions: reports the quota reserved for archives that are being extracted. */
  onExtraction(extraction: { reserved: Reserved }): void;
}

/** Calls the domains that have filled the hooks. */
export function createArrivals(): {
  readonly hooks: ArrivalHooks;
  readonly pending: PendingFile;
  readonly create: UploadHandler;
  readonly fetch: UploadHandler;
  readonly reserved: Reserved;
} {
  let upload: Parameters<ArrivalHooks['onUpload']>[0] | undefined;
  let fetched: Parameters<ArrivalHooks['onFetch']>[0] | undefined;
  let extraction: Parameters<ArrivalHooks['onExtraction']>[0] | undefined;
  return {
    hooks: {
      onUpload(filled) {
        upload = filled;
      },
      onFetch(filled) {
        fetched = filled;
      },
      onExtraction(filled) {
        extraction = filled;
      },
    },
    pending: async (account, id, caller) => upload?.pending(account, id, caller),
    async create(call) {
      if (!upload) throw new ApiFailure('unsupported');
      return upload.create(call);
    },
    async fetch(call) {
      if (!fetched) throw new ApiFailure('unsupported');
      return fetched.create(call);
    },
    async reserved(sql) {
      const sums = new Map(await upload?.reserved(sql));
      for (const others of [await fetched?.reserved(sql), await extraction?.reserved(sql)])
        for (const [account, bytes] of others ?? []) sums.set(account, (sums.get(account) ?? 0) + bytes);
      return sums;
    },
  };
}
