import { parentPort } from 'node:worker_threads';
import { createSumming, type Summing } from './checksums.ts';
import { digestBlocks } from './digest-blocks.ts';
import type { Numbered, NumberedReply } from './digest-pool.ts';

// The hashing thread of digest-pool.ts: memory is transferred back and forth without being copied.

/** Checksums in progress, by file number: all bytes of a file are sent to the same thread. */
const summings = new Map<number, Summing>();

function summingOf(id: number): Summing {
  const known = summings.get(id);
  if (known) return known;
  const begun = createSumming();
  summings.set(id, begun);
  return begun;
}

parentPort!.on('message', ({ number, order }: Numbered) => {
  if (!('bytes' in order)) {
    const reply = order.wanted ? summingOf(order.summing).end() : undefined;
    summings.delete(order.summing);
    parentPort!.postMessage({ number, reply } satisfies NumberedReply);
    return;
  }
  const { bytes, length, block, summing } = order;
  if (summing !== undefined) summingOf(summing).add(bytes);
  const reply = { bytes, digests: digestBlocks(bytes.subarray(0, length), block) };
  parentPort!.postMessage({ number, reply } satisfies NumberedReply, [bytes.buffer]);
});
