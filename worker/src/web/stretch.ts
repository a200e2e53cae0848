import { FetchFailed } from '../fetch/engine.ts';
import type { Answer, Asking } from './asking.ts';
import { bodyOf, type Reading } from './body.ts';
import { Setback, Spoiled } from './setback.ts';
import { sourceOf } from './source.ts';
import { createTrials } from './trials.ts';

/** The version of a file that is being fetched; all answers must be of it. */
export interface Version {
  readonly size: number;
  readonly tag: string;
  readonly version: string;
}

export interface Stretches {
  /**
   * The bytes from `start` to before `end`, over as many connections as it takes; `first` is an answer that begins at
   * `start`. Rejects with Spoiled where the origin has other bytes by now, or with FetchFailed.
   */
  read(start: number, end: number, first?: Answer): AsyncGenerator<Uint8Array, void, undefined>;
}

export function createStretches(
  asking: Asking,
  requested: URL,
  wanted: Version,
  reading: Reading,
): Stretches {
  const { patience, signal } = reading;
  /** Where the last good answer came from; links behind a redirect may not last. */
  let place: URL | undefined;

  async function connect(start: number, end: number): Promise<Answer> {
    const headers = { range: `bytes=${start}-${end - 1}`, 'if-range': wanted.tag };
    const url = place;
    try {
      const answer = await asking.ask({ url, headers, bear: [412, 416] }, signal);
      if (isPartOf(answer, start)) {
        place = answer.url;
        return answer;
      }
      answer.letGo();
    } catch (error) {
      if (!url || !(error instanceof FetchFailed)) throw error;
      // The place may be gone, and the member's own address lead to another.
      place = undefined;
      throw new Setback(error);
    }
    throw new Spoiled();
  }

  function isPartOf(answer: Answer, start: number): boolean {
    if (answer.status !== 206) return false;
    const { size, version, stretch, encoding } = sourceOf(answer, requested);
    return !encoding && size === wanted.size && version === wanted.version && stretch?.start === start;
  }

  return {
    async *read(start, end, first) {
      const trials = createTrials(patience, signal);
      place ??= first?.url;
      let answer = first;
      for (let at = start; at < end;) {
        try {
          answer ??= await connect(at, end);
          for await (const chunk of bodyOf(answer, reading)) {
            const piece = at + chunk.byteLength > end ? chunk.subarray(0, end - at) : chunk;
            at += piece.byteLength;
            trials.succeed();
            yield piece;
            if (at === end) return;
          }
          throw new Setback(new FetchFailed('source_incomplete'));
        } catch (error) {
          await trials.after(error);
        }
        answer = undefined;
      }
    },
  };
}
