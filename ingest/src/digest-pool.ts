import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { digestBlocks } from './digest-blocks.ts';

/** What a thread gets; it answers in the order of its orders. */
export interface DigestOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many of the bytes are hashed. */
  readonly length: number;
  readonly block: number;
}

export interface DigestReply {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digests: Uint8Array;
}

/** Hashes blocks beside the main thread. */
export interface Digests {
  /**
   * As {@link digestBlocks} of the first `length` bytes. The memory goes to another thread meanwhile and comes back in the
   * reply: the caller must not touch what it gave, which must be the whole of its buffer.
   */
  of(bytes: Uint8Array<ArrayBuffer>, length: number, block: number): Promise<DigestReply>;
  close(): Promise<void>;
}

/** Less than this is hashed where it is: a trip to another thread would take longer. */
export const SMALL_BYTES = 64 * 1024;
const IDLE_MS = 20_000;
const MOST_WORKERS = 4;

interface Hand {
  readonly worker: Worker;
  readonly waiting: { resolve: (reply: DigestReply) => void; reject: (error: Error) => void }[];
}

/** Threads are started when there is work, and ended when there was none for a while. */
export function createDigests(
  threads: number = Math.max(1, Math.min(MOST_WORKERS, availableParallelism() - 1)),
): Digests {
  const hands = new Set<Hand>();
  let idle: NodeJS.Timeout | undefined;

  function hire(): Hand {
    const worker = new Worker(join(import.meta.dirname, 'digest-worker.ts'));
    const hand: Hand = { worker, waiting: [] };
    worker.unref();
    worker.on('message', (reply: DigestReply) => {
      hand.waiting.shift()?.resolve(reply);
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
    async of(bytes, length, block) {
      if (length <= SMALL_BYTES) return { bytes, digests: digestBlocks(bytes.subarray(0, length), block) };
      clearTimeout(idle);
      const least = [...hands].toSorted((one, other) => one.waiting.length - other.waiting.length)[0];
      const hand = least && (least.waiting.length === 0 || hands.size >= threads) ? least : hire();
      const order: DigestOrder = { bytes, length, block };
      return new Promise((resolve, reject) => {
        hand.waiting.push({ resolve, reject });
        hand.worker.postMessage(order, [bytes.buffer]);
      });
    },
    async close() {
      clearTimeout(idle);
      await Promise.all([...hands].map(({ worker }) => worker.terminate()));
    },
  };
}
