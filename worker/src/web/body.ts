import { FetchFailed } from '../fetch/engine.ts';
import type { RateLimit } from '../fetch/rate-limit.ts';
import type { HttpResponse } from './http-session.ts';
import type { Timeouts } from './timeouts.ts';
import { TransientError, classifyError } from './fetch-errors.ts';

/** Options for reading a body. */
export interface BodyOptions {
  readonly timeouts: Timeouts;
  readonly rate: RateLimit;
  readonly signal: AbortSignal;
}

/**
 * Reads the body of a response within the rate limit, and fails if it arrives too slowly. Rejects with a
 * TransientError, with a FetchFailed, or with the signal's reason.
 */
export async function* bodyOf(
  response: HttpResponse,
  { timeouts, rate, signal }: BodyOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = response.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let waited = 0;
  let got = 0;
  try {
    for (;;) {
      // Measures only the time spent waiting for the origin, not our own processing.
      const asked = performance.now();
      const { done, value } = await chunks.next();
      if (done) return;
      waited += performance.now() - asked;
      got += value.byteLength;
      if (waited > timeouts.idleMs) {
        if (got < timeouts.idleBytes) throw new TransientError(new FetchFailed('source_timed_out'));
        waited = 0;
        got = 0;
      }
      const pause = rate.spend(value.byteLength, signal);
      if (pause) await pause;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw classifyError(error, 'source_incomplete');
  } finally {
    response.discard();
  }
}
