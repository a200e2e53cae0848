import { ObjectFailure } from './object-requests.ts';
import type { UploadTools } from './upload-tools.ts';

/** Attempts at a request that fails. */
export const TRIES = 6;

/**
 * Retries recoverable errors with growing pauses; when offline, waits for the network. `isFinal`: errors after which
 * something else is tried instead.
 */
export async function patiently<R>(
  { sleep, online }: UploadTools,
  signal: AbortSignal,
  request: () => Promise<R>,
  isFinal: (failure: ObjectFailure) => boolean = () => false,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ObjectFailure) || !error.retry || tries >= TRIES || isFinal(error)) throw error;
      await online(signal);
      await sleep(500 * 2 ** tries, signal);
    }
  }
}
