import type { BlobStore } from '@bowerbird/storage';

/** Faults that occur from now on; fields that are unset cause none. */
export interface Faults {
  writePart?: Error | undefined;
  keep?: Error | undefined;
  open?: Error | undefined;
  freeSpace?: number | undefined;
}

/** A real store that fails on demand. */
export function faultyStorage(store: BlobStore): { storage: BlobStore; faults: Faults } {
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
    open: (key, range) => (faults.open ? Promise.reject(faults.open) : store.open(key, range)),
    freeSpace: async () => faults.freeSpace ?? (await store.freeSpace()),
  };
  return { storage, faults };
}
