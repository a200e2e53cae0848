import type { BlobStore } from '@bowerbird/storage';

/** Faults that occur from now on; fields that are unset cause none. */
export interface Faults {
  /** Also for small bodies, which have no parts. */
  writePart?: Error | undefined;
  /** For small bodies, which have no parts, occurs after they are kept. */
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
