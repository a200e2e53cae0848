import { FetchFailed } from '../fetch/engine.ts';
import type { HttpResponse, HttpSession } from './http-session.ts';
import { bodyOf, type BodyOptions } from './body.ts';
import { TransientError, VersionChanged } from './fetch-errors.ts';
import { sourceOf } from './source.ts';
import { createRetries } from './retries.ts';

/** The version of a file that is being fetched; all responses must belong to it. */
export interface Version {
  readonly size: number;
  readonly tag: string;
  readonly version: string;
}

export interface RangeRequests {
  /**
   * Yields the bytes from `start` to before `end`, with retries; `first` is a response that begins at `start`. Rejects
   * with VersionChanged if the file has changed at the origin, or with FetchFailed.
   */
  read(start: number, end: number, first?: HttpResponse): AsyncGenerator<Uint8Array, void, undefined>;
}

export function createRangeRequests(
  session: HttpSession,
  requested: URL,
  wanted: Version,
  reading: BodyOptions,
): RangeRequests {
  const { timeouts, signal } = reading;
  /** The final URL of the last good response; URLs behind a redirect may expire. */
  let place: URL | undefined;

  async function connect(start: number, end: number): Promise<HttpResponse> {
    const headers = { range: `bytes=${start}-${end - 1}`, 'if-range': wanted.tag };
    const url = place;
    try {
      const response = await session.send({ url, headers, acceptStatuses: [412, 416] }, signal);
      if (isPartOf(response, start)) {
        place = response.url;
        return response;
      }
      response.discard();
    } catch (error) {
      if (!url || !(error instanceof FetchFailed)) throw error;
      // The URL may have expired; the member's address may redirect to a new one.
      place = undefined;
      throw new TransientError(error);
    }
    throw new VersionChanged();
  }

  function isPartOf(response: HttpResponse, start: number): boolean {
    if (response.status !== 206) return false;
    const { size, version, range, encoding } = sourceOf(response, requested);
    return !encoding && size === wanted.size && version === wanted.version && range?.start === start;
  }

  return {
    async *read(start, end, first) {
      const retries = createRetries(timeouts, signal);
      place ??= first?.url;
      let response = first;
      for (let at = start; at < end;) {
        try {
          response ??= await connect(at, end);
          for await (const chunk of bodyOf(response, reading)) {
            const piece = at + chunk.byteLength > end ? chunk.subarray(0, end - at) : chunk;
            at += piece.byteLength;
            retries.succeed();
            yield piece;
            if (at === end) return;
          }
          throw new TransientError(new FetchFailed('source_incomplete'));
        } catch (error) {
          await retries.after(error);
        }
        response = undefined;
      }
    },
  };
}
