import { gcidBlockSize } from '@bowerbird/contract';
import type { HashedPart, Hashing, LandedPart } from '@bowerbird/ingest';
import type { StagedPart, Staging } from '@bowerbird/storage';
import { FetchFailed } from '../fetch/engine.ts';
import type { HttpResponse } from './http-session.ts';
import { bodyOf, type BodyOptions } from './body.ts';
import { createSplitter } from './splitter.ts';
import { decoded } from './decoding.ts';
import { landParts } from './landing.ts';
import { missingCells, startOf, type Layout } from './layout.ts';
import { createPlan, type Run } from './plan.ts';
import { TransientError, VersionChanged } from './fetch-errors.ts';
import type { FirstResponse } from './first-request.ts';
import type { RangeRequests } from './range-requests.ts';

/** Counts the received bytes, without those that were lost again. */
export interface Tally {
  arrived(bytes: number): void;
  lost(bytes: number): void;
}

export interface PartTarget {
  readonly staging: Staging;
  readonly hashing: Hashing;
  readonly tally: Tally;
}

/** A staged part with its hashes; parts of an earlier run have none. */
export type HeldPart = StagedPart & HashedPart;

export const heldPart = (part: StagedPart): HeldPart => ({
  ...part,
  position: undefined,
  digests: new Uint8Array(),
});

const MIB = 2 ** 20;
/** The maximum size of a part, and the minimum that is worth a request of its own. */
const PART_BYTES = 16 * MIB;

/**
 * Fetches the missing parts over several connections (lanes), each of which takes one run of cells after the other.
 * Returns all parts, in order. If the origin rejects a lane, the others do its work; it fails when the last lane fails.
 */
export async function fetchParts(
  layout: Layout,
  there: readonly StagedPart[],
  rangeRequests: (signal: AbortSignal) => RangeRequests,
  { lanes, first, signal }: { lanes: number; first: HttpResponse | undefined; signal: AbortSignal },
  target: PartTarget,
): Promise<HeldPart[]> {
  const held = new Map(there.map((part) => [part.number, heldPart(part)]));
  const missing = missingCells(layout, held.values());
  const leastCells = Math.max(1, Math.floor(PART_BYTES / layout.cell));
  const count = Math.max(1, Math.min(lanes, Math.floor(missing.length / (2 * leastCells))));
  const plan = createPlan(missing, count, leastCells);
  const stopping = new AbortController();
  const reading = rangeRequests(AbortSignal.any([signal, stopping.signal]));
  let alive = count;

  async function run({ first: from, count: cells }: Run, response?: HttpResponse): Promise<void> {
    const span = { start: startOf(layout, from), end: Math.min(startOf(layout, from + cells), layout.size) };
    let came = 0;
    let kept = 0;
    const flow = counted(reading.read(span.start, span.end, response), (bytes) => {
      came += bytes;
      target.tally.arrived(bytes);
    });
    const landing = { ...target, ...layout, mostBytes: leastCells * layout.cell };
    try {
      await landParts(createSplitter(flow), span, landing, (part) => {
        kept += part.size;
        held.set(part.number, part);
      });
    } catch (error) {
      target.tally.lost(came - kept);
      plan.giveBack(
        missingCells(layout, held.values()).filter((cell) => cell >= from && cell < from + cells),
      );
      throw error;
    }
  }

  async function lane(response?: HttpResponse): Promise<void> {
    try {
      for (let next = plan.take(), given = response; next; next = plan.take(), given = undefined)
        await run(next, given);
    } catch (error) {
      const isTolerable = error instanceof FetchFailed && alive > 1;
      if (!isTolerable) {
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
  // The first error stopped the other lanes.
  if (stopping.signal.aborted) throw stopping.signal.reason;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return [...held.values()].toSorted((one, other) => one.number - other.number);
}

const STREAM_PART_BYTES = 64 * MIB;
/** The block size for files of unknown size, which are mostly small. */
const GUESSED_BLOCK = gcidBlockSize(0);

/** Fetches a file without range support in a single response. */
export async function fetchStream(
  { response, source: { size, encoding } }: FirstResponse,
  maxBytes: number,
  reading: BodyOptions,
  target: PartTarget,
): Promise<HeldPart[]> {
  const block = size === null ? GUESSED_BLOCK : gcidBlockSize(size);
  let came = 0;
  const body = bodyOf(response, reading);
  const flow = counted(encoding ? decoded(body, encoding) : body, (bytes) => {
    came += bytes;
    target.tally.arrived(bytes);
    if (came > maxBytes) throw new FetchFailed('source_too_large', { final: true });
  });
  const parts: HeldPart[] = [];
  try {
    await landParts(
      createSplitter(size === null ? flow : whole(flow, size)),
      { start: 0, end: size ?? Infinity },
      {
        ...target,
        size: size ?? undefined,
        block,
        cell: STREAM_PART_BYTES,
        mostBytes: STREAM_PART_BYTES,
      },
      (part: LandedPart) => parts.push(part),
    );
  } catch (error) {
    target.tally.lost(came);
    throw withSignature(error, came);
  }
  const isHashed = gcidBlockSize(came) === block;
  return parts
    .toSorted((one, other) => one.number - other.number)
    .map((part) => (isHashed ? part : heldPart(part)));
}

/** Adds a signature to an error that cut the body off: a second cut at the same byte is permanent. */
function withSignature(error: unknown, came: number): unknown {
  const isCut = error instanceof TransientError && error.failure.failure.error === 'source_incomplete';
  return isCut && came > 0
    ? new TransientError(error.failure, error.pauseMs, error.signature ?? `${came} came`)
    : error;
}

/** Passes on exactly `size` bytes. Throws a TransientError if there are fewer, VersionChanged if there are more. */
async function* whole(
  flow: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = size;
  for await (const chunk of flow) {
    left -= chunk.byteLength;
    if (left < 0) throw new VersionChanged();
    yield chunk;
  }
  if (left > 0) throw new TransientError(new FetchFailed('source_incomplete'));
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
