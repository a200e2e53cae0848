/** Cuts one flow of bytes into parts, without ever ending it. */
export interface Cutter {
  /** The next `size` bytes, fewer at the end. MUST be read to its end before the next is begun. */
  next(size: number): AsyncGenerator<Uint8Array, void, undefined>;
  /** Waits until so many bytes have come, or the flow has ended; whether anything is left. MAY be left waiting. */
  gather(size: number): Promise<boolean>;
  close(): Promise<void>;
}

export function createCutter(flow: AsyncIterable<Uint8Array>): Cutter {
  const chunks = flow[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let bytes = 0;
  let hasEnded = false;
  let pulling: Promise<void> | undefined;

  /** Several may wait for the same chunk. Once the flow has failed, it fails for whoever asks next, too. */
  function pull(): Promise<void> {
    pulling ??= chunks.next().then(({ done, value }) => {
      pulling = undefined;
      if (done) hasEnded = true;
      else {
        held.push(value);
        bytes += value.byteLength;
      }
    });
    return pulling;
  }

  async function gather(size: number): Promise<boolean> {
    while (bytes < size && !hasEnded) await pull();
    return bytes > 0;
  }

  return {
    gather,
    async *next(size) {
      for (let left = size; left > 0 && (await gather(1));) {
        const chunk = held.shift()!;
        if (chunk.byteLength > left) held.unshift(chunk.subarray(left));
        const piece = chunk.subarray(0, left);
        left -= piece.byteLength;
        bytes -= piece.byteLength;
        if (piece.byteLength > 0) yield piece;
      }
    },
    async close() {
      await chunks.return?.();
    },
  };
}
