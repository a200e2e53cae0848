import { parentPort } from 'node:worker_threads';
import { digestBlocks } from './content-hash.ts';
import type { DigestOrder } from './digest-pool.ts';

// Hashes for digest-pool.ts: bytes come as memory that both threads see, so nothing is copied.

parentPort!.on('message', ({ memory, length, block }: DigestOrder) => {
  parentPort!.postMessage(digestBlocks(new Uint8Array(memory, 0, length), block));
});
