import { setTimeout as sleep } from 'node:timers/promises';

/** Limits the bandwidth of all fetches of the process together. */
export interface RateLimit {
  /** Bytes per second; null for no limit. For engines that enforce it themselves. */
  readonly rate: number | null;
  /** Counts received bytes. Returns a promise to wait for before reading more, or undefined below the limit. */
  spend(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/** Unused bandwidth is saved for this long. */
const SAVED_SECONDS = 0.25;

/**
 * A token bucket that may be overdrawn: the caller that overdraws it waits until it has recovered, as do later callers.
 */
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
