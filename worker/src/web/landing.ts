import { landPart, type Hashing, type LandedPart } from '@bowerbird/ingest';
import type { Staging } from '@bowerbird/storage';
import type { Splitter } from './splitter.ts';
import { numberAt } from './layout.ts';

/** The target and layout of parts. */
export interface Landing {
  readonly staging: Staging;
  readonly hashing: Hashing;
  /** Size of the whole file, if known, and its hash block size. */
  readonly size: number | undefined;
  readonly block: number;
  /** Parts begin and end at multiples of this size. */
  readonly cell: number;
  /** The maximum size of a part; a multiple of `cell`. */
  readonly mostBytes: number;
}

/** A byte range of the file; `end` is exclusive, and infinite if unknown. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Parts in progress at once: while parts are flushed to disk, the next one is received. */
const AT_ONCE = 3;
/**
 * A killed process has to fetch unfinished parts again. So a part ends after a second, however small it is; later parts
 * end after a fiftieth of the elapsed time, which limits their number.
 */
const SHORTEST_MS = 1000;
const SHARE_OF_TIME = 0.02;
/** Larger cells are not buffered until they are complete. */
const LARGEST_HELD = 2 ** 20;

/** Splits a stream into parts and writes them. Rejects only after all parts have ended. */
export async function landParts(
  splitter: Splitter,
  { start, end }: Span,
  landing: Landing,
  landed: (part: LandedPart) => void,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  try {
    for (let at = start; at < end && (await splitter.gather(1));) {
      const longestMs = Math.max(SHORTEST_MS, (performance.now() - began) * SHARE_OF_TIME);
      const { taken, done } = land(splitter, { start: at, end }, landing, longestMs);
      underWay.push(done.then(landed));
      // The rejection is handled where the part is awaited.
      underWay.at(-1)!.catch(() => {});
      at += await Promise.race([taken, done.then(({ size }) => size)]);
      if (underWay.length >= AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    await splitter.close();
    await Promise.allSettled(underWay);
  }
}

/** Writes one part. `taken` resolves with the number of bytes read from the stream, before the part is written. */
function land(
  splitter: Splitter,
  { start, end }: Span,
  { staging, hashing, size: total, block, cell, mostBytes }: Landing,
  longestMs: number,
): { taken: Promise<number>; done: Promise<LandedPart> } {
  const { promise: taken, resolve } = Promise.withResolvers<number>();
  const most = Math.min(mostBytes, end - start);

  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    const { promise: late, resolve: isLate } = Promise.withResolvers<false>();
    const timer = setTimeout(() => isLate(false), longestMs);
    let size = 0;
    try {
      while (size < most) {
        const wanted = Math.min(cell, most - size);
        const coming = splitter.gather(cell <= LARGEST_HELD ? wanted : 1);
        // A part with at least one cell may end here.
        if (!(await (size === 0 ? coming : Promise.race([late, coming])))) break;
        for await (const chunk of splitter.next(wanted)) {
          size += chunk.byteLength;
          yield chunk;
        }
      }
    } finally {
      clearTimeout(timer);
    }
    resolve(size);
  }
  const done = landPart(
    staging,
    {
      number: numberAt({ cell }, start),
      source: source(),
      size: undefined,
      maxSize: most,
      total: total ?? Number.MAX_SAFE_INTEGER,
      block,
      position: start,
    },
    hashing,
  );
  return { taken, done };
}
