import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { digestBlocks } from './content-hash.ts';

/** What a worker gets; it answers with the digests, in the order of the orders. */
export interface DigestOrder {
  readonly memory: SharedArrayBuffer;
  readonly length: number;
  readonly block: number;
}

/** Hashes blocks beside the main thread. */
export interface Digests {
  /** As {@link digestBlocks}. The bytes must not change until it resolves. */
  of(bytes: Uint8Array, block: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Less than this is hashed where it is: a trip to another thread would take longer. */
export const SMALL_BYTES = 64 * 1024;
const IDLE_MS = 20_000;
const MOST_WORKERS = 4;

interface Hand {
  readonly worker: Worker;
  readonly waiting: { resolve: (digests: Uint8Array) => void; reject: (error: Error) => void }[];
}

/** Threads are started when there is work, and ended when there was none for a while. */
export function createDigests(threads: number = Math.max(1, Math.min(MOST_WORKERS, availableParallelism() - 1))): Digests {
  const hands = new Set<Hand>();
  let idle: NodeJS.Timeout | undefined;

  function hire(): Hand {
    const worker = new Worker(join(import.meta.dirname, 'digest-worker.ts'));
    const hand: Hand = { worker, waiting: [] };
    worker.unref();
    worker.on('message', (digests: Uint8Array) => {
      hand.waiting.shift()?.resolve(digests);
      if ([...hands].every(({ waiting }) => waiting.length === 0)) rest();
    });
    const lose = (error: Error): void => {
      hands.delete(hand);
      for (const { reject } of hand.waiting.splice(0)) reject(error);
    };
    worker.on('error', lose);
    worker.on('exit', () => lose(new Error('A hashing thread ended')));
    hands.add(hand);
    return hand;
  }

  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(() => void dismiss(), IDLE_MS);
    idle.unref();
  }

  async function dismiss(): Promise<void> {
    clearTimeout(idle);
    const leaving = [...hands].filter(({ waiting }) => waiting.length === 0);
    for (const hand of leaving) hands.delete(hand);
    await Promise.all(leaving.map(({ worker }) => worker.terminate()));
  }

  return {
    async of(bytes, block) {
      if (bytes.byteLength <= SMALL_BYTES || !(bytes.buffer instanceof SharedArrayBuffer) || bytes.byteOffset !== 0) {
        return digestBlocks(bytes, block);
      }
      clearTimeout(idle);
      const least = [...hands].toSorted((one, other) => one.waiting.length - other.waiting.length)[0];
      const hand = least && (least.waiting.length === 0 || hands.size >= threads) ? least : hire();
      const order: DigestOrder = { memory: bytes.buffer, length: bytes.byteLength, block };
      return new Promise((resolve, reject) => {
        hand.waiting.push({ resolve, reject });
        hand.worker.postMessage(order);
      });
    },
    async close() {
      clearTimeout(idle);
      await Promise.all([...hands].map(({ worker }) => worker.terminate()));
    },
  };
}
