/** Reusable memory for pieces of files on their way to the storage. */
export interface PieceMemory {
  take(size: number): Uint8Array<ArrayBuffer>;
  /**
   * Returns memory from {@link take}, possibly as a different object after being transferred to another thread and
   * back.
   */
  giveBack(buffer: ArrayBufferLike): void;
}

/** Up to this much is kept for reuse; the rest is left to the garbage collector. */
const MOST_SPARE_BYTES = 64 * 2 ** 20;
/** Smaller pieces are not worth keeping. */
const SMALLEST = 2 ** 20;
const IDLE_MS = 20_000;

/**
 * With fresh memory for each piece, a gigabyte would cause dozens of full garbage collections. Memory that has not
 * been used for a while is released.
 */
export function createPieceMemory(): PieceMemory {
  const spare = new Map<number, ArrayBuffer[]>();
  let spareBytes = 0;
  let idle: NodeJS.Timeout | undefined;

  function letGo(): void {
    spare.clear();
    spareBytes = 0;
  }

  return {
    take(size) {
      const used = spare.get(size)?.pop();
      if (!used) return Buffer.allocUnsafeSlow(size);
      spareBytes -= size;
      return Buffer.from(used);
    },
    giveBack(buffer) {
      const size = buffer.byteLength;
      if (!(buffer instanceof ArrayBuffer) || size < SMALLEST || spareBytes + size > MOST_SPARE_BYTES) return;
      const list = spare.get(size) ?? [];
      spare.set(size, list);
      list.push(buffer);
      spareBytes += size;
      clearTimeout(idle);
      idle = setTimeout(letGo, IDLE_MS);
      idle.unref();
    },
  };
}
