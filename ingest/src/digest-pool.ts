import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createSumming, type Checksums, type Summing } from './checksums.ts';
import { digestBlocks } from './digest-blocks.ts';

/** A message to a thread. */
export interface Numbered {
  readonly number: number;
  readonly order: DigestOrder | SumOrder;
}

/** A thread's reply. Node's own loader posts other messages when it watches files for changes (`node --watch`). */
export interface NumberedReply {
  /** The number of the order. */
  readonly number: number;
  readonly reply: DigestReply | Checksums | undefined;
}

export interface DigestOrder {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of bytes to hash. */
  readonly length: number;
  readonly block: number;
  /** The file whose checksums include all of these bytes; its orders must be sent in sequence. */
  readonly summing?: number | undefined;
}

/** Ends the checksums of a file; the reply contains them if they are wanted. */
export interface SumOrder {
  readonly summing: number;
  readonly wanted: boolean;
}

export interface DigestReply {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digests: Uint8Array;
}

/** Hashes blocks in other threads. */
export interface Digests {
  /**
   * Like {@link digestBlocks} for the first `length` bytes. The memory is transferred to another thread and comes back
   * in the reply: the caller must pass a whole buffer, and must not use it meanwhile.
   */
  of(
    bytes: Uint8Array<ArrayBuffer>,
    length: number,
    block: number,
    summed?: SummedFile,
  ): Promise<DigestReply>;
  /** Begins the checksums of a file; all of its bytes must then be passed to {@link of} in order. */
  summed(): SummedFile;
  close(): Promise<void>;
}

/** Checksums of one file, computed in addition to the digests of its blocks. Must be ended or dropped. */
export interface SummedFile {
  /** Returns the checksums of all bytes passed so far. */
  end(): Promise<Checksums>;
  /** Discards the checksums. */
  drop(): void;
}

/** Computes a file's checksums: here while it is small, otherwise in the thread that got its first bytes. */
interface SummedState extends SummedFile {
  readonly id: number;
  here: Summing | undefined;
  hand: Hand | undefined;
}

/** Smaller amounts are hashed in this thread: transferring them would take longer. */
export const SMALL_BYTES = 64 * 1024;
const IDLE_MS = 20_000;
const MOST_WORKERS = 4;

interface Hand {
  readonly worker: Worker;
  /** By order number. */
  readonly waiting: Map<number, { resolve: (reply: never) => void; reject: (error: Error) => void }>;
  /** Files whose checksums this thread computes: it must not end before they do. */
  readonly files: Set<SummedFile>;
}

const isFree = ({ waiting, files }: Hand): boolean => waiting.size === 0 && files.size === 0;

/** Threads are started on demand, and ended when they have been idle for a while. */
export function createDigests(
  threads: number = Math.max(1, Math.min(MOST_WORKERS, availableParallelism() - 1)),
): Digests {
  const hands = new Set<Hand>();
  let idle: NodeJS.Timeout | undefined;
  let lastOrder = 0;

  function hire(): Hand {
    const worker = new Worker(join(import.meta.dirname, 'digest-worker.ts'));
    const hand: Hand = { worker, waiting: new Map(), files: new Set() };
    worker.unref();
    worker.on('message', ({ number, reply }: Partial<NumberedReply>) => {
      const waiting = number === undefined ? undefined : hand.waiting.get(number);
      if (number === undefined || !waiting) return;
      hand.waiting.delete(number);
      waiting.resolve(reply as never);
      if ([...hands].every(isFree)) rest();
    });
    const lose = (error: Error): void => {
      hands.delete(hand);
      for (const { reject } of hand.waiting.values()) reject(error);
      hand.waiting.clear();
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
    const leaving = [...hands].filter(isFree);
    for (const hand of leaving) hands.delete(hand);
    await Promise.all(leaving.map(({ worker }) => worker.terminate()));
  }

  function choose(): Hand {
    const least = [...hands].toSorted((one, other) => one.waiting.size - other.waiting.size)[0];
    return least && (least.waiting.size === 0 || hands.size >= threads) ? least : hire();
  }

  function tell<Reply>(hand: Hand, order: DigestOrder | SumOrder, moved: ArrayBuffer[] = []): Promise<Reply> {
    clearTimeout(idle);
    lastOrder += 1;
    const number = lastOrder;
    return new Promise((resolve, reject) => {
      if (!hands.has(hand)) throw new Error('The hashing thread of this file ended');
      hand.worker.postMessage({ number, order } satisfies Numbered, moved);
      hand.waiting.set(number, { resolve, reject });
    });
  }

  /** The thread that gets a file's bytes; undefined while there are too few of them. */
  function handOf(file: SummedState, bytes: Uint8Array): Hand | undefined {
    if (file.hand || file.here) return file.hand;
    if (bytes.byteLength <= SMALL_BYTES) {
      file.here = createSumming();
      return undefined;
    }
    file.hand = choose();
    file.hand.files.add(file);
    return file.hand;
  }

  let lastFile = 0;
  function beginFile(): SummedFile {
    lastFile += 1;
    const close = async (wanted: boolean): Promise<Checksums> => {
      const { hand, here } = file;
      if (!hand) return (here ?? createSumming()).end();
      hand.files.delete(file);
      return tell<Checksums>(hand, { summing: file.id, wanted });
    };
    const file: SummedState = {
      id: lastFile,
      here: undefined,
      hand: undefined,
      end: () => close(true),
      drop: () => void close(false).catch(() => {}),
    };
    return file;
  }

  return {
    summed: beginFile,
    async of(bytes, length, block, summed) {
      const file = summed as SummedState | undefined;
      const hand = file && handOf(file, bytes);
      if (hand) return tell(hand, { bytes, length, block, summing: file!.id }, [bytes.buffer]);
      file?.here?.add(bytes);
      if (length <= SMALL_BYTES) return { bytes, digests: digestBlocks(bytes.subarray(0, length), block) };
      return tell(choose(), { bytes, length, block }, [bytes.buffer]);
    },
    async close() {
      clearTimeout(idle);
      await Promise.all([...hands].map(({ worker }) => worker.terminate()));
    },
  };
}
