import { StorageFull, type BlobStore, type Staging } from '@bowerbird/storage';

/**
 * The same storage, which is full while something is left: a database on the same disk has to go on writing whatever
 * strangers send. `freeSpace` says what may be used.
 */
export function leavingReserve(storage: BlobStore, reserve: number): BlobStore {
  async function freeSpace(): Promise<number | null> {
    const free = await storage.freeSpace();
    return free === null ? null : Math.max(0, free - reserve);
  }

  const staging = (area: Staging): Staging => ({
    ...area,
    async writePart(number, source, options) {
      const free = await freeSpace();
      if (free !== null && free < (options?.size ?? 1)) throw new StorageFull();
      return area.writePart(number, source, options);
    },
  });

  return { ...storage, freeSpace, stage: async (uploadId) => staging(await storage.stage(uploadId)) };
}
