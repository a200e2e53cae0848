import { gcidBlockSize } from '@bowerbird/contract';
import type { HashedPart, Hashing, LandedPart } from '@bowerbird/ingest';
import type { StagedPart, Staging } from '@bowerbird/storage';
import { FetchFailed } from '../fetch/engine.ts';
import type { Answer } from './asking.ts';
import { bodyOf, type Reading } from './body.ts';
import { createCutter } from './cutter.ts';
import { decoded } from './decoding.ts';
import { landParts } from './landing.ts';
import { missingCells, startOf, type Layout } from './layout.ts';
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

const MIB = 2 ** 20;
/** Longest part, and the least that is worth a request of its own. */
const PART_BYTES = 16 * MIB;

/**
 * Fetches what is missing over several connections, each of which takes run after run. Gives all parts, in order.
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
  const missing = missingCells(layout, held.values());
  const leastCells = Math.max(1, Math.floor(PART_BYTES / layout.cell));
  const count = Math.max(1, Math.min(lanes, Math.floor(missing.length / (2 * leastCells))));
  const plan = createPlan(missing, count, leastCells);
  const stopping = new AbortController();
  const reading = stretches(AbortSignal.any([signal, stopping.signal]));
  let alive = count;

  async function run({ first: from, count: cells }: Run, answer?: Answer): Promise<void> {
    const span = { start: startOf(layout, from), end: Math.min(startOf(layout, from + cells), layout.size) };
    let came = 0;
    let kept = 0;
    const flow = counted(reading.read(span.start, span.end, answer), (bytes) => {
      came += bytes;
      ground.tally.arrived(bytes);
    });
    const landing = { ...ground, ...layout, mostBytes: leastCells * layout.cell };
    try {
      await landParts(createCutter(flow), span, landing, (part) => {
        kept += part.size;
        held.set(part.number, part);
      });
    } catch (error) {
      ground.tally.lost(came - kept);
      plan.giveBack(
        missingCells(layout, held.values()).filter((cell) => cell >= from && cell < from + cells),
      );
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

const STREAM_PART_BYTES = 64 * MIB;
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
      { start: 0, end: size ?? Infinity },
      {
        ...ground,
        size: size ?? undefined,
        block,
        cell: STREAM_PART_BYTES,
        mostBytes: STREAM_PART_BYTES,
      },
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
