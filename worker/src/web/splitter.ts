/** Splits a stream of bytes into parts, without closing it between them. */
export interface Splitter {
  /** Yields the next `size` bytes, fewer at the end. MUST be read to its end before the next call. */
  next(size: number): AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * Waits for `size` buffered bytes or the end of the stream. Returns whether any bytes are left. The caller MAY stop
   * waiting.
   */
  gather(size: number): Promise<boolean>;
  close(): Promise<void>;
}

export function createSplitter(flow: AsyncIterable<Uint8Array>): Splitter {
  const chunks = flow[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let bytes = 0;
  let hasEnded = false;
  let pulling: Promise<void> | undefined;

  /** Reads one chunk, shared by all waiting callers. After an error, later calls fail too. */
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
