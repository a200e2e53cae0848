import type { FetchFailure, FetchSpec } from '@bowerbird/contract';

/**
 *                requested                  leased, with heartbeats
 *   idle ──────────────────────▶ queued ──────────────────────▶ fetching
 *     ▲                            ▲                               │
 *     │                            └── the lease expired, or a     │
 *     │                                retry is due later ◀────────┤
 *     └──────── every wanted file is kept or failed, or nobody ◀───┘
 *               requests it any more
 */
type SourceState = 'idle' | 'queued' | 'fetching';

/** A source that can be fetched, shared by all requests for it. */
export interface SourceRow {
  readonly id: string;
  /** Identifies the source: requests with the same key share it, see {@link keyOf}. */
  readonly key: string;
  readonly kind: FetchSpec['kind'];
  readonly state: SourceState;
  readonly generation: number;
  /** Undefined until the source was inspected. */
  readonly facts:
    | { readonly name: string; readonly size: number | undefined; readonly count: number }
    | undefined;
  readonly validator: string | undefined;
  /** The date of its files; undefined if unknown. */
  readonly modifiedAt: number | undefined;
  /** The reason why the last inspection or fetch failed. */
  readonly failure: FetchFailure | undefined;
  readonly lookedAt: number | undefined;
  /** The torrent source that this address leads to. */
  readonly leadsTo: string | undefined;
  /** Attempts since it was requested, or since a file was last kept. */
  readonly attempts: number;
  readonly leaseOwner: string | undefined;
}

export interface SourceFileRow {
  readonly position: number;
  /** Path segments as the source has them, not cleaned. */
  readonly path: readonly string[];
  readonly size: number | undefined;
  readonly received: number;
  readonly state: 'waiting' | 'kept' | 'failed';
  readonly failure: FetchFailure | undefined;
  /** The hash of the blob, if the file is kept. */
  readonly hash: string | undefined;
}

/** A member's request for files of a source; one for each task. */
export interface FetchRequestRow {
  readonly task: string;
  readonly account: string;
  readonly source: string;
  /** The target folder; the account's id for the root. */
  readonly parent: string;
  /** Positions of files; undefined for all. */
  readonly selection: ReadonlySet<number> | undefined;
  /** The node that was created for it: its folder, or its only file. */
  readonly root: string | undefined;
  readonly reserved: number;
  /** Neither paused nor finished. */
  readonly active: boolean;
  readonly paused: boolean;
  /** One of {@link PRIORITIES}; smaller is more urgent. */
  readonly priority: number;
  readonly startAt: number;
}

export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;
export type Priority = keyof typeof PRIORITIES;

export function isWanted(request: Pick<FetchRequestRow, 'selection'>, position: number): boolean {
  return request.selection === undefined || request.selection.has(position);
}

/** Returns the union of the files that several requests select; null for all. */
export function wantedBy(requests: readonly Pick<FetchRequestRow, 'selection'>[]): number[] | null {
  if (requests.some(({ selection }) => selection === undefined)) return null;
  return [...new Set(requests.flatMap(({ selection }) => [...selection!]))].toSorted((a, b) => a - b);
}

/** Delays before automatic retries; after the last one the source has failed. */
const RETRY_MS = [5_000, 30_000, 120_000, 600_000];
export const LONGEST_RETRY_MS = RETRY_MS.at(-1)!;

/** Failures of our own storage, not of the source: retried at a fixed interval until the storage recovers. */
const OUTAGES: ReadonlySet<string> = new Set(['disk_full', 'unavailable']);
const OUTAGE_RETRY_MS = 10_000;

export const isOutage = (failure: FetchFailure): boolean => !failure.final && OUTAGES.has(failure.error);

export function retryAfter(attempts: number, failure: FetchFailure): number | undefined {
  if (failure.final) return undefined;
  return isOutage(failure) ? OUTAGE_RETRY_MS : RETRY_MS[attempts - 1];
}

/** Returns the total size of files; undefined if any size is unknown. */
export function sizeOf(files: readonly SourceFileRow[]): number | undefined {
  let sum = 0;
  for (const { size } of files) {
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}

/** Limits of offline download that are the same for every member and plan. */
export interface OfflineLimits {
  /** Unfinished tasks that a member may have. */
  readonly waiting: number;
  /** Sources that one process fetches at once. */
  readonly slots: number;
}

/** Returns the UTC day that the daily limits count by. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
