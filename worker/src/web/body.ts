import { FetchFailed } from '../fetch/engine.ts';
import type { RateLimit } from '../fetch/rate-limit.ts';
import type { Answer } from './asking.ts';
import type { Patience } from './patience.ts';
import { Setback, setbackOf } from './setback.ts';

/** What reading a body needs beside it. */
export interface Reading {
  readonly patience: Patience;
  readonly rate: RateLimit;
  readonly signal: AbortSignal;
}

/**
 * The bytes of an answer, no faster than they may come, and broken off where they come too slowly. Rejects with a
 * Setback, with a FetchFailed, or with the signal's reason.
 */
export async function* bodyOf(
  answer: Answer,
  { patience, rate, signal }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = answer.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let waited = 0;
  let got = 0;
  try {
    for (;;) {
      // Only what the origin takes counts, not what we do with it.
      const asked = performance.now();
      const { done, value } = await chunks.next();
      if (done) return;
      waited += performance.now() - asked;
      got += value.byteLength;
      if (waited > patience.idleMs) {
        if (got < patience.idleBytes) throw new Setback(new FetchFailed('source_timed_out'));
        waited = 0;
        got = 0;
      }
      const pause = rate.spend(value.byteLength, signal);
      if (pause) await pause;
      yield value;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw setbackOf(error, 'source_incomplete');
  } finally {
    answer.letGo();
  }
}
