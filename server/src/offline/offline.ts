import type { FetchFailure, FetchSpec } from '@bowerbird/contract';

/**
 *            somebody wants it              leased, with heartbeats
 *   idle ──────────────────────▶ queued ──────────────────────▶ fetching
 *     ▲                            ▲                               │
 *     │                            └── its lease ran out, or it is │
 *     │                                to be tried again later ◀───┤
 *     └──────── every wanted file is kept or failed, or nobody ◀───┘
 *               wants it any more
 */
export type SourceState = 'idle' | 'queued' | 'fetching';

/** Something that can be fetched, whoever asks for it. */
export interface SourceRow {
  readonly id: string;
  /** What makes two wishes one: see {@link keyOf}. */
  readonly key: string;
  readonly kind: FetchSpec['kind'];
  readonly state: SourceState;
  readonly generation: number;
  /** Undefined until it was looked at. */
  readonly facts:
    | { readonly name: string; readonly size: number | undefined; readonly count: number }
    | undefined;
  readonly validator: string | undefined;
  /** The date that its files bear; undefined where it doesn't tell. */
  readonly modifiedAt: number | undefined;
  /** Why it couldn't be looked at, or fetched, the last time. */
  readonly failure: FetchFailure | undefined;
  readonly lookedAt: number | undefined;
  /** The torrent whose file lies at this address. */
  readonly leadsTo: string | undefined;
  /** Tries since somebody wanted it, or since it last got on. */
  readonly attempts: number;
  readonly leaseOwner: string | undefined;
}

export interface SourceFileRow {
  readonly position: number;
  /** Segments as the source gave them. */
  readonly path: readonly string[];
  readonly size: number | undefined;
  readonly received: number;
  readonly state: 'waiting' | 'kept' | 'failed';
  readonly failure: FetchFailure | undefined;
  /** Of the blob, where it is kept. */
  readonly hash: string | undefined;
}

/** What one task wants of a source. */
export interface WishRow {
  readonly task: string;
  readonly account: string;
  readonly source: string;
  /** Folder that it goes to; the account's id for the root. */
  readonly parent: string;
  /** Positions of files; undefined for all. */
  readonly selection: ReadonlySet<number> | undefined;
  /** The node that was made for it: its folder, or its only file. */
  readonly root: string | undefined;
  readonly reserved: number;
  /** Neither paused nor finished. */
  readonly active: boolean;
  readonly paused: boolean;
  /** One of {@link PRIORITIES}; the smaller the sooner. */
  readonly priority: number;
  readonly startAt: number;
}

export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;
export type Priority = keyof typeof PRIORITIES;

export function isWanted(wish: Pick<WishRow, 'selection'>, position: number): boolean {
  return wish.selection === undefined || wish.selection.has(position);
}

/** The union of what several wishes want; null for all. */
export function wantedBy(wishes: readonly Pick<WishRow, 'selection'>[]): number[] | null {
  if (wishes.some(({ selection }) => selection === undefined)) return null;
  return [...new Set(wishes.flatMap(({ selection }) => [...selection!]))].toSorted((a, b) => a - b);
}

/** Waits before a source that failed is tried again by itself; after the last it has failed. */
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

/** Bytes of a selection; undefined where a size is unknown. */
export function sizeOf(files: readonly SourceFileRow[]): number | undefined {
  let sum = 0;
  for (const { size } of files) {
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}

/** Limits of offline download, from the settings. */
export interface OfflineLimits {
  /** Tasks that a member may create a day; undefined without limit. */
  readonly daily: number | undefined;
  /** Tasks of one member that run at once. */
  readonly running: number;
  /** Unfinished tasks that a member may have. */
  readonly waiting: number;
  readonly size: number;
  /** Bytes that a member may fetch a day; undefined without limit. */
  readonly traffic: number | undefined;
  /** Sources that one process fetches at once. */
  readonly slots: number;
}

/** The day that limits count by. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
