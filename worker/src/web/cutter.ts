/** Cuts one flow of bytes into parts, without ever ending it. */
export interface Cutter {
  /** The next `size` bytes, fewer at the end. MUST be read to its end before the next is begun. */
  next(size: number): AsyncGenerator<Uint8Array, void, undefined>;
  /** Whether anything is left. */
  more(): Promise<boolean>;
  close(): Promise<void>;
}

export function createCutter(flow: AsyncIterable<Uint8Array>): Cutter {
  const chunks = flow[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined;

  async function more(): Promise<boolean> {
    while (!rest?.byteLength) {
      const { done, value } = await chunks.next();
      if (done) return false;
      rest = value;
    }
    return true;
  }

  return {
    more,
    async *next(size) {
      for (let left = size; left > 0 && (await more());) {
        const chunk = rest!;
        rest = chunk.byteLength > left ? chunk.subarray(left) : undefined;
        const piece = chunk.subarray(0, left);
        left -= piece.byteLength;
        yield piece;
      }
    },
    async close() {
      await chunks.return?.();
    },
  };
}
