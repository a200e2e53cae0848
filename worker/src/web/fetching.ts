import { gcidBlockSize } from '@bowerbird/contract';
import type { HashedPart, Hashing, LandedPart } from '@bowerbird/ingest';
import type { StagedPart, Staging } from '@bowerbird/storage';
import { FetchFailed } from '../fetch/engine.ts';
import type { Answer } from './asking.ts';
import { bodyOf, type Reading } from './body.ts';
import { createCutter } from './cutter.ts';
import { decoded } from './decoding.ts';
import { landParts, type PartPlace } from './landing.ts';
import { missingParts, sizeOf, startOf, type Layout } from './layout.ts';
import { createPlan, type Run } from './plan.ts';
import { Setback, Spoiled } from './setback.ts';
import type { Opened } from './opening.ts';
import type { Stretches } from './stretch.ts';

/** Counts what is here, as far as it is worth anything. */
export interface Tally {
  arrived(bytes: number): void;
  lost(bytes: number): void;
}

export interface Ground {
  readonly staging: Staging;
  readonly hashing: Hashing;
  readonly tally: Tally;
}

/** A part as it is kept: those of an earlier run were hashed by nobody we know. */
export type HeldPart = StagedPart & HashedPart;

export const heldPart = (part: StagedPart): HeldPart => ({
  ...part,
  position: undefined,
  digests: new Uint8Array(),
});

/**
 * Fetches the missing parts over several connections, each of which takes run after run. Gives all parts, in order.
 * Lanes that the origin doesn't bear leave their work to the others; it fails when the last lane does.
 */
export async function fetchParts(
  layout: Layout,
  there: readonly StagedPart[],
  stretches: (signal: AbortSignal) => Stretches,
  { lanes, first, signal }: { lanes: number; first: Answer | undefined; signal: AbortSignal },
  ground: Ground,
): Promise<HeldPart[]> {
  const held = new Map(there.map((part) => [part.number, heldPart(part)]));
  const missing = missingParts(layout, held);
  const count = Math.max(1, Math.min(lanes, Math.floor(missing.length / 2)));
  const plan = createPlan(missing, count);
  const stopping = new AbortController();
  const reading = stretches(AbortSignal.any([signal, stopping.signal]));
  let alive = count;

  async function run({ first: from, count: parts }: Run, answer?: Answer): Promise<void> {
    const places: PartPlace[] = Array.from({ length: parts }, (_, at) => from + at).map((number) => ({
      number,
      start: startOf(layout, number),
      size: sizeOf(layout, number),
    }));
    const last = places.at(-1)!;
    const start = startOf(layout, from);
    let came = 0;
    let kept = 0;
    const flow = counted(reading.read(start, last.start + last.size, answer), (bytes) => {
      came += bytes;
      ground.tally.arrived(bytes);
    });
    try {
      await landParts(createCutter(flow), places, { ...ground, ...layout }, (part) => {
        kept += part.size;
        held.set(part.number, part);
      });
    } catch (error) {
      ground.tally.lost(came - kept);
      const rest = places.filter(({ number }) => !held.has(number));
      for (const { number } of rest) plan.giveBack({ first: number, count: 1 });
      throw error;
    }
  }

  async function lane(answer?: Answer): Promise<void> {
    try {
      for (let next = plan.take(), given = answer; next; next = plan.take(), given = undefined)
        await run(next, given);
    } catch (error) {
      const isBearable = error instanceof FetchFailed && alive > 1;
      if (!isBearable) {
        stopping.abort(error);
        throw error;
      }
    } finally {
      alive -= 1;
    }
  }

  const ends = await Promise.allSettled(
    Array.from({ length: count }, (_, at) => lane(at === 0 ? first : undefined)),
  );
  signal.throwIfAborted();
  // Whoever failed first stopped the others.
  if (stopping.signal.aborted) throw stopping.signal.reason;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return [...held.values()].toSorted((one, other) => one.number - other.number);
}

const STREAM_PART_BYTES = 64 * 2 ** 20;
/** Files of which nobody tells the size are mostly small. */
const GUESSED_BLOCK = gcidBlockSize(0);

/** Fetches what can only be had in one go, from its beginning to its end. */
export async function fetchStream(
  { answer, source: { size, encoding } }: Opened,
  maxBytes: number,
  reading: Reading,
  ground: Ground,
): Promise<HeldPart[]> {
  const block = size === null ? GUESSED_BLOCK : gcidBlockSize(size);
  let came = 0;
  const body = bodyOf(answer, reading);
  const flow = counted(encoding ? decoded(body, encoding) : body, (bytes) => {
    came += bytes;
    ground.tally.arrived(bytes);
    if (came > maxBytes) throw new FetchFailed('source_too_large', { final: true });
  });
  const parts: HeldPart[] = [];
  try {
    await landParts(
      createCutter(size === null ? flow : whole(flow, size)),
      placesOfStream(size ?? Infinity),
      { ...ground, size: size ?? undefined, block },
      (part: LandedPart) => parts.push(part),
    );
  } catch (error) {
    ground.tally.lost(came);
    throw signed(error, came);
  }
  const isHashed = gcidBlockSize(came) === block;
  return parts
    .toSorted((one, other) => one.number - other.number)
    .map((part) => (isHashed ? part : heldPart(part)));
}

/** What breaks off at the same byte twice always will. */
function signed(error: unknown, came: number): unknown {
  const isCut = error instanceof Setback && error.failure.failure.error === 'source_incomplete';
  return isCut && came > 0 ? new Setback(error.failure, error.pauseMs, error.sign ?? `${came} came`) : error;
}

function* placesOfStream(size: number): Generator<PartPlace> {
  for (let number = 1, start = 0; start < size; number += 1, start += STREAM_PART_BYTES)
    yield { number, start, size: Math.min(STREAM_PART_BYTES, size - start) };
}

/** Exactly so many bytes, or a setback. */
async function* whole(
  flow: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of flow) {
    left -= chunk.byteLength;
    if (left < 0) throw new Spoiled();
    yield chunk;
  }
  if (left > 0) throw new Setback(new FetchFailed('source_incomplete'));
}

async function* counted(
  flow: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of flow) {
    count(chunk.byteLength);
    yield chunk;
  }
}
