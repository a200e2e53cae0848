import { StorageUnavailable } from './storage-errors.ts';

/** Time limits after which a silent S3 service counts as unavailable. Requests that make progress are never cut off. */
export interface S3Limits {
  /** Limit for a connection to be established. */
  readonly connectMs: number;
  /**
   * Limit between two bytes of a request or its response, and until the first byte of the response. The kernel buffers
   * megabytes of a request, and on a slow connection no progress is visible until they have been sent.
   */
  readonly idleMs: number;
  /** Total number of attempts for a request that fails this way. */
  readonly attempts: number;
  /** Limit until the first byte of the response to a small request, including all attempts. */
  readonly answerMs: number;
}

export const S3_LIMITS: S3Limits = { connectMs: 5_000, idleMs: 60_000, attempts: 3, answerMs: 30_000 };

/**
 * Makes a request whose response must begin within `ms`; otherwise rejects with StorageUnavailable. Also ends if
 * `stop` is aborted.
 */
export async function answeredWithin<T>(
  ms: number,
  ask: (abortSignal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ms);
  try {
    return await ask(stop ? AbortSignal.any([stop, patience.signal]) : patience.signal);
  } catch (error) {
    if (!patience.signal.aborted) throw error;
    throw new StorageUnavailable(`it didn’t respond within ${ms / 1000} seconds`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
