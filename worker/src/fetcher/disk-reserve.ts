import { createRoom, type BlobStore, type Staging } from '@bowerbird/storage';

/**
 * Wraps a storage so that it reports "full" while `reserve` bytes are still free: a database on the same disk must
 * remain able to write, whatever strangers send. `freeSpace` returns the bytes above the reserve.
 */
export function leavingReserve(storage: BlobStore, reserve: number): BlobStore {
  const room = createRoom(storage, reserve);

  async function freeSpace(): Promise<number | null> {
    const free = await storage.freeSpace();
    return free === null ? null : Math.max(0, free - reserve);
  }

  const staging = (area: Staging): Staging => ({
    ...area,
    async writePart(number, source, options) {
      const claim = await room.claim(options?.size);
      return area.writePart(number, claim.through(source), options).finally(() => claim.release());
    },
  });

  return { ...storage, freeSpace, stage: async (uploadId) => staging(await storage.stage(uploadId)) };
}
