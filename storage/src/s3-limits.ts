import { StorageUnavailable } from './storage-errors.ts';

/** How long an S3 service may be silent before it counts as unavailable. Whatever makes progress is never cut off. */
export interface S3Limits {
  /** Until a connection is made. */
  readonly connectMs: number;
  /**
   * Between two bytes of a request or its response, also until the first byte of the response. The kernel
   * buffers megabytes of a request, and on a slow line no progress is visible until they are sent.
   */
  readonly idleMs: number;
  /** A request that failed so is sent again, as often as this together. */
  readonly attempts: number;
  /** Until the first byte of the response to a small request, with all attempts. */
  readonly answerMs: number;
}

export const S3_LIMITS: S3Limits = { connectMs: 5_000, idleMs: 60_000, attempts: 3, answerMs: 30_000 };

/** Asks for something that is begun within `ms`, or rejects with StorageUnavailable. Also ends when `stop` is aborted. */
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
