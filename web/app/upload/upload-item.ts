import type { ErrorId } from '@bowerbird/contract';

/**
 *   queued ──▶ preparing ──▶ uploading ──▶ finishing ──▶ done
 *     ▲            │             │              │
 *     └── resume ─ paused ◀──────┤              ▼
 *     └── retry ────────────── failed ◀─────────┘     (any unfinished one ──▶ cancelled)
 *
 * `waiting` comes after a reload: the same file must be chosen again to go on.
 */
export type UploadState =
  | 'queued'
  | 'preparing'
  | 'uploading'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'paused'
  | 'cancelled'
  | 'skipped'
  | 'waiting';

/** What to do where the name is taken: keep both, put the old one into the trash, leave the new one out. */
export type ConflictChoice = 'rename' | 'replace' | 'skip';

export interface UploadItem {
  readonly id: number;
  /** What was handed over at once has one number. */
  readonly batch: number;
  readonly name: string;
  readonly size: number;
  /** Where it was put; the folders of an uploaded tree are below it. */
  readonly targetId: string;
  readonly targetName: string;
  readonly folders: readonly string[];
  readonly state: UploadState;
  readonly loaded: number;
  /** Why it failed; `unreachable` is tried again by itself. */
  readonly error: ErrorId | undefined;
  readonly errorText: string | undefined;
  /** Of the file in the drive, once known. */
  readonly nodeId: string | undefined;
  /** Of the folder that it went into. */
  readonly folderId: string | undefined;
}

export function isActive(state: UploadState): boolean {
  return state === 'preparing' || state === 'uploading' || state === 'finishing';
}

/** What still wants to be done by itself. */
export function isPending(state: UploadState): boolean {
  return state === 'queued' || isActive(state);
}

export function isOver(state: UploadState): boolean {
  return state === 'done' || state === 'cancelled' || state === 'skipped';
}

/** What a file costs beside its bytes, in bytes: asking, opening and closing take as long as so many would. */
const FILE_COST = 256 * 1024;

/** How much of an upload is work: its bytes, and a little for its being a file at all. */
export function workOf(item: Pick<UploadItem, 'size'>): number {
  return item.size + FILE_COST;
}

/** Several uploads as one. */
export interface UploadTotals {
  readonly count: number;
  readonly done: number;
  readonly failed: number;
  readonly pending: number;
  readonly paused: number;
  readonly size: number;
  readonly loaded: number;
  /** Work of what is pending, in the unit of {@link workOf}. */
  readonly workLeft: number;
  /** Share of all work that is done, 0 to 1. */
  readonly part: number;
}

export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const counted = items.filter((item) => item.state !== 'cancelled' && item.state !== 'skipped');
  const among = (test: (state: UploadState) => boolean): number =>
    counted.filter((item) => test(item.state)).length;
  const work = counted.reduce((sum, item) => sum + workOf(item), 0);
  const workDone = counted.reduce(
    (sum, item) => sum + (item.state === 'done' ? workOf(item) : item.loaded),
    0,
  );
  return {
    count: counted.length,
    done: among((state) => state === 'done'),
    failed: among((state) => state === 'failed'),
    pending: among(isPending),
    paused: among((state) => state === 'paused' || state === 'waiting'),
    size: counted.reduce((sum, item) => sum + item.size, 0),
    loaded: counted.reduce((sum, item) => sum + item.loaded, 0),
    workLeft: counted
      .filter((item) => isPending(item.state))
      .reduce((sum, item) => sum + workOf(item) - item.loaded, 0),
    part: work > 0 ? workDone / work : 0,
  };
}

/** The uploads that the head and the ring speak of: batches of which something is pending, not those that ended before. */
export function currentOf(items: readonly UploadItem[]): readonly UploadItem[] {
  const batches = new Set(items.filter((item) => isPending(item.state)).map((item) => item.batch));
  return items.filter((item) => batches.has(item.batch));
}

/** Whether bytes are what takes the time: of many small files a speed in bytes says nothing. */
export function isAboutBytes({ pending, size, loaded }: UploadTotals): boolean {
  return size - loaded > pending * FILE_COST;
}
