import { parentPort } from 'node:worker_threads';
import { digestBlocks } from './digest-blocks.ts';
import type { DigestOrder, DigestReply } from './digest-pool.ts';

// Hashes for digest-pool.ts: memory comes, and goes back, without being copied.

parentPort!.on('message', ({ bytes, length, block }: DigestOrder) => {
  const reply: DigestReply = { bytes, digests: digestBlocks(bytes.subarray(0, length), block) };
  parentPort!.postMessage(reply, [bytes.buffer]);
});
