import { PartTooLarge, SizeMismatch } from './storage-errors.ts';
import type { PartOptions } from './blob-store.ts';

/** Passes a part's chunks on: counted, held to the declared sizes and shown to the tap while the consumer works. */
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
    // Its failure is thrown below, after the consumer is done with this chunk; until then it isn't unhandled.
    tapped?.catch(() => {});
    // Once written, the chunk's memory may be called spent: the tap must be done with it by then.
    if (spent) await tapped;
    yield chunk;
    if (tapped) await tapped;
  }
  if (size !== undefined && received !== size) throw new SizeMismatch(size, received);
}
