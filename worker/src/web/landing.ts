import { landPart, type Hashing, type LandedPart } from '@bowerbird/ingest';
import type { Staging } from '@bowerbird/storage';
import type { Cutter } from './cutter.ts';
import { numberAt } from './layout.ts';

/** What parts land in, one after the other. */
export interface Landing {
  readonly staging: Staging;
  readonly hashing: Hashing;
  /** Size of the whole file, if it is known, and by what blocks it is hashed. */
  readonly size: number | undefined;
  readonly block: number;
  /** Parts begin and end at multiples of it. */
  readonly cell: number;
  /** Longest part; a multiple of `cell`. */
  readonly mostBytes: number;
}

/** Bytes of the file, from `start` to before `end`; infinite where nobody knows the end. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** While parts are flushed to the disk, the next one is coming. */
const AT_ONCE = 3;
/**
 * What a process that is killed had not landed yet comes again. So a part is ended after a second, however little has come;
 * later ones after a fiftieth of the time that went by, which keeps them few.
 */
const SHORTEST_MS = 1000;
const SHARE_OF_TIME = 0.02;
/** Of larger cells nothing is held back until they are whole. */
const LARGEST_HELD = 2 ** 20;

/** Cuts parts from a flow and lands them. Rejects after the last of them has ended, whichever failed. */
export async function landParts(
  cutter: Cutter,
  { start, end }: Span,
  landing: Landing,
  landed: (part: LandedPart) => void,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  try {
    for (let at = start; at < end && (await cutter.gather(1));) {
      const longestMs = Math.max(SHORTEST_MS, (performance.now() - began) * SHARE_OF_TIME);
      const { taken, done } = land(cutter, { start: at, end }, landing, longestMs);
      underWay.push(done.then(landed));
      // Its failure is thrown where it is awaited.
      underWay.at(-1)!.catch(() => {});
      at += await Promise.race([taken, done.then(({ size }) => size)]);
      if (underWay.length >= AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    await cutter.close();
    await Promise.allSettled(underWay);
  }
}

/** Lands one part; `taken` is how many bytes it took from the flow, as soon as it has them. */
function land(
  cutter: Cutter,
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
        const coming = cutter.gather(cell <= LARGEST_HELD ? wanted : 1);
        // Whatever a part has at least one cell of can end here.
        if (!(await (size === 0 ? coming : Promise.race([late, coming])))) break;
        for await (const chunk of cutter.next(wanted)) {
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
