import { USUAL_PART } from './part-plan.ts';

const MIB = 2 ** 20;
/** No larger ones: the bytes of a part that didn't arrive have to be sent again. */
const LARGEST = 64 * MIB;
const SMALLEST = MIB;
/** A part that takes less than this is worth a larger one, and one that takes longer a smaller one. */
const QUICK_MS = 2_000;
const SLOW_MS = 30_000;
/** Time after a timeout for which parts don't grow to that size again. */
const WARY_MS = 5 * 60 * 1000;

/** Sizes of parts that suit the network and the proxies on the way. */
export interface PartSizes {
  /** Size in bytes of the next part. */
  readonly next: number;
  /** Notes how long a part took that arrived. */
  arrived(bytes: number, ms: number): void;
  /**
   * Notes that a body didn't arrive, with the status of the response (0 without one). Returns true if a smaller one
   * may arrive.
   */
  failed(bytes: number, status: number): boolean;
}

/** Returns true if a response says that it took too long to send the body. */
const isTimeout = (status: number): boolean =>
  // 524 is a timeout of a content delivery network. Without a response, the connection was cut.
  status === 0 || status === 408 || status === 504 || status === 524;

export function createPartSizes(now: () => number): PartSizes {
  let size = USUAL_PART;
  /** Proxies refuse larger bodies. */
  let limit = LARGEST;
  let slow = { size: Infinity, until: 0 };
  return {
    get next() {
      return Math.min(size, limit);
    },
    arrived(bytes, ms) {
      if (ms > SLOW_MS) size = Math.max(SMALLEST, Math.min(size, bytes / 2));
      const larger = Math.min(bytes * 2, limit);
      if (ms < QUICK_MS && larger > size && (larger < slow.size || now() > slow.until)) size = larger;
    },
    failed(bytes, status) {
      const half = Math.max(SMALLEST, 2 ** Math.floor(Math.log2(bytes / 2)));
      if (status === 413) limit = Math.min(limit, half);
      else if (isTimeout(status)) {
        size = Math.min(size, half);
        slow = { size: bytes, until: now() + WARY_MS };
      } else return false;
      return bytes > SMALLEST;
    },
  };
}
