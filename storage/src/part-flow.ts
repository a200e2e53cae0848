import { PartTooLarge, SizeMismatch } from './storage-errors.ts';
import type { PartOptions } from './blob-store.ts';

/** Passes on a part's chunks: counts them, enforces the declared sizes, and calls the tap while the consumer works. */
export async function* checkedFlow(
  source: AsyncIterable<Uint8Array>,
  { size, maxSize, tap, spent }: PartOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0;
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue;
    received += chunk.byteLength;
    if (size !== undefined && received > size) throw new SizeMismatch(size, received);
    if (maxSize !== undefined && received > maxSize) throw new PartTooLarge(maxSize);
    const tapped = tap?.(chunk);
    // Its error is thrown below, after the consumer has finished with this chunk; until then, it must not count as
    // unhandled.
    tapped?.catch(() => {});
    // Once written, the chunk's memory may be released, so the tap must have finished with it.
    if (spent) await tapped;
    yield chunk;
    if (tapped) await tapped;
  }
  if (size !== undefined && received !== size) throw new SizeMismatch(size, received);
}
