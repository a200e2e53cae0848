import { landPart, type Hashing, type LandedPart } from '@bowerbird/ingest';
import type { Staging } from '@bowerbird/storage';
import type { Cutter } from './cutter.ts';

/** What parts land in, one after the other. */
export interface Landing {
  readonly staging: Staging;
  readonly hashing: Hashing;
  /** Size of the whole file, if it is known, and by what blocks it is hashed. */
  readonly size: number | undefined;
  readonly block: number;
}

export interface PartPlace {
  readonly number: number;
  readonly start: number;
  readonly size: number;
}

/** While parts are flushed to the disk, the next one is coming. */
const AT_ONCE = 3;

/** Cuts parts from a flow and lands them. Rejects after the last of them has ended, whichever failed. */
export async function landParts(
  cutter: Cutter,
  places: Iterable<PartPlace>,
  landing: Landing,
  landed: (part: LandedPart) => void,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  try {
    for (const place of places) {
      if (!(await cutter.more())) break;
      const { taken, done } = land(cutter, place, landing);
      underWay.push(done.then(landed));
      // Its failure is thrown where it is awaited.
      underWay.at(-1)!.catch(() => {});
      await Promise.race([taken, done]);
      if (underWay.length >= AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    await cutter.close();
    await Promise.allSettled(underWay);
  }
}

function land(
  cutter: Cutter,
  { number, start, size }: PartPlace,
  { staging, hashing, size: total, block }: Landing,
): { taken: Promise<void>; done: Promise<LandedPart> } {
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* cutter.next(size);
    resolve();
  }
  const exact = total === undefined ? undefined : size;
  const done = landPart(
    staging,
    {
      number,
      source: source(),
      size: exact,
      maxSize: size,
      total: total ?? Number.MAX_SAFE_INTEGER,
      block,
      position: start,
    },
    hashing,
  );
  return { taken, done };
}
