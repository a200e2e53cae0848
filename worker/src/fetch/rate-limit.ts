import { setTimeout as sleep } from 'node:timers/promises';

/** Shares what may come in a second among all orders of the process. */
export interface RateLimit {
  /** Bytes a second; null without limit. For engines that hold to it by themselves. */
  readonly rate: number | null;
  /** Says that so many bytes came; a promise until which no more shall be taken, or nothing where it isn't too much. */
  spend(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/** What wasn't used is still good for so long. */
const SAVED_SECONDS = 0.25;

/** A bucket that may be overdrawn: who takes too much waits until the bucket has recovered, and so does who comes after. */
export function createRateLimit(rate: number | null, now: () => number = () => performance.now()): RateLimit {
  const most = (rate ?? 0) * SAVED_SECONDS;
  let left = most;
  let looked = now();
  return {
    rate,
    spend(bytes, signal) {
      if (rate === null) return undefined;
      const time = now();
      left = Math.min(most, left + ((time - looked) / 1000) * rate) - bytes;
      looked = time;
      return left < 0 ? sleep((-left / rate) * 1000, undefined, { signal }) : undefined;
    },
  };
}
