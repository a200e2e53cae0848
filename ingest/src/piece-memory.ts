/** Memory for pieces of files on their way to the storage, used again and again. */
export interface PieceMemory {
  take(size: number): Uint8Array<ArrayBuffer>;
  /** Gives memory back that came from {@link take}; it may have been to another thread and be another object by now. */
  giveBack(buffer: ArrayBufferLike): void;
}

/** So much is kept for the next pieces; what is given back beyond is left to the collector of garbage. */
const MOST_SPARE_BYTES = 64 * 2 ** 20;
/** Pieces below are not worth keeping. */
const SMALLEST = 2 ** 20;
const IDLE_MS = 20_000;

/**
 * A gigabyte that passes in fresh memory would have the collector of garbage look through everything dozens of times.
 * What nobody used for a while is let go.
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
