import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../foundation/database/index.ts';
import { networkOf } from '../shield/index.ts';
import type { Benefits } from './plan/index.ts';

/** Speed of one connection, which it shares with others. */
export interface Pace {
  /** Bytes to send at once, so that they flow evenly. */
  readonly slice: number;
  /** Resolves when the next bytes may be sent, now that these were. */
  sent(bytes: number): Promise<void>;
  /** Call it once nothing more is sent. */
  end(): void;
}

/**
 * Speed limits of downloads. All connections that download a member's own files share that member's speed within a
 * process. Each network from which visitors download through the member's shares has the same speed for itself.
 */
export interface Speeds {
  /**
   * Begins a download; returns undefined if its speed has no limit. `from` is the visitor's address, undefined for the
   * member's own downloads.
   */
  begin(account: string, from: string | undefined): Promise<Pace | undefined>;
}

/** Milliseconds of a monotonic clock, and waiting. */
export interface Pacing {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** Bytes sent in advance, as time; waiting less often than this keeps timers rare. */
const AHEAD_MS = 100;
/** Time for which unused speed is kept, so that short downloads and late timers lose nothing. */
const CREDIT_MS = 1000;
const SMALLEST_SLICE = 1024;
const BUCKETS_KEPT = 1000;

interface Bucket {
  /** Bytes per second. */
  rate: number;
  connections: number;
  /** When everything that was sent is paid for. */
  paidAt: number;
}

const SYSTEM: Pacing = {
  now: () => performance.now(),
  // A process that is stopped doesn't wait for slow downloads longer than for others.
  sleep: (ms) => sleep(ms, undefined, { ref: false }),
};

/** Divides a chunk into slices, and waits after each until the next one may be sent. */
export async function* slicesAt(pace: Pace, chunk: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < chunk.byteLength; at += pace.slice) {
    const slice = chunk.subarray(at, at + pace.slice);
    yield slice;
    await pace.sent(slice.byteLength);
  }
}

export function createSpeeds({
  database,
  benefits,
  pacing = SYSTEM,
}: {
  database: Database;
  benefits: Pick<Benefits, 'least' | 'entitlements'>;
  pacing?: Pacing;
}): Speeds {
  const buckets = new Map<string, Bucket>();
  let sweepAt = BUCKETS_KEPT;

  const isSettled = ({ connections, paidAt }: Bucket): boolean =>
    connections === 0 && paidAt <= pacing.now() - CREDIT_MS;

  function bucketOf(key: string, rate: number): Bucket {
    if (buckets.size >= sweepAt) {
      for (const [other, bucket] of buckets) if (isSettled(bucket)) buckets.delete(other);
      sweepAt = Math.max(BUCKETS_KEPT, 2 * buckets.size);
    }
    const bucket = buckets.get(key) ?? { rate, connections: 0, paidAt: -Infinity };
    bucket.rate = rate;
    buckets.set(key, bucket);
    return bucket;
  }

  return {
    async begin(account, from) {
      if (benefits.least.downloadSpeed === Infinity) return undefined;
      const { downloadSpeed } = await benefits.entitlements(database, account);
      if (downloadSpeed === Infinity) return undefined;
      const bucket = bucketOf(
        JSON.stringify([account, from === undefined ? '' : networkOf(from)]),
        downloadSpeed,
      );
      bucket.connections += 1;
      let hasEnded = false;
      return {
        slice: Math.max(SMALLEST_SLICE, Math.floor((downloadSpeed * AHEAD_MS) / 1000)),
        async sent(bytes) {
          const now = pacing.now();
          bucket.paidAt = Math.max(bucket.paidAt, now - CREDIT_MS) + (bytes * 1000) / bucket.rate;
          const ahead = bucket.paidAt - now;
          if (ahead > AHEAD_MS) await pacing.sleep(ahead);
        },
        end() {
          if (!hasEnded) bucket.connections -= 1;
          hasEnded = true;
        },
      };
    },
  };
}
