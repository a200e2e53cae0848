import type { Disk } from './disk.ts';

/** The launcher gives the server eight threads for disk operations; two of them are left to reads. */
export const writesAtOnce = 6;

/**
 * Node runs disk operations in a fixed number of threads (UV_THREADPOOL_SIZE), and those that wait for the disk, such as
 * flushes, can take seconds. Limits how many of these run at once, so that reads always find a free thread.
 */
export function limitWrites(disk: Disk, atOnce: number): Disk {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<R>(work: () => Promise<R>): Promise<R> {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    ...disk,
    async open(path, mode) {
      const file = await disk.open(path, mode);
      return {
        ...file,
        write: (chunks, position) => inTurn(() => file.write(chunks, position)),
        sync: () => inTurn(() => file.sync()),
      };
    },
    syncFolder: (path) => inTurn(() => disk.syncFolder(path)),
  };
}
