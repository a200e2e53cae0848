import type { ErrorId } from '@bowerbird/contract';

/**
 *   queued ──▶ preparing ──▶ uploading ──▶ finishing ──▶ done
 *     ▲            │             │              │
 *     └── resume ─ paused ◀──────┤              ▼
 *     └── retry ────────────── failed ◀─────────┘     (any unfinished one ──▶ cancelled)
 *
 * `waiting` follows a reload: the user must choose the same file again to resume.
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

/** Action if the name is taken: keep both, move the old one to the trash, skip the new one. */
export type ConflictChoice = 'rename' | 'replace' | 'skip';

/** Folder that files are uploaded to. */
export interface Target {
  readonly id: string;
  readonly name: string;
}

export interface UploadItem {
  readonly id: number;
  /** Number shared by all files that were added at once. */
  readonly batch: number;
  readonly name: string;
  readonly size: number;
  /** Target folder; the folders of an uploaded tree are below it. */
  readonly targetId: string;
  readonly targetName: string;
  readonly folders: readonly string[];
  readonly state: UploadState;
  readonly loaded: number;
  /** Error; `unreachable` is retried automatically. */
  readonly error: ErrorId | undefined;
  readonly errorText: string | undefined;
  /** Id of the file in the drive, once known. */
  readonly nodeId: string | undefined;
  /** Id of the folder that contains the file. */
  readonly folderId: string | undefined;
}

export function isActive(state: UploadState): boolean {
  return state === 'preparing' || state === 'uploading' || state === 'finishing';
}

/** Returns true if an upload will still proceed by itself. */
export function isPending(state: UploadState): boolean {
  return state === 'queued' || isActive(state);
}

export function isOver(state: UploadState): boolean {
  return state === 'done' || state === 'cancelled' || state === 'skipped';
}

/** Overhead of a file, in bytes: creating, opening and closing it takes as long as this many bytes. */
const FILE_COST = 256 * 1024;

/** Returns the work of an upload: its bytes, and a constant for each file. */
export function workOf(item: Pick<UploadItem, 'size'>): number {
  return item.size + FILE_COST;
}

/** Totals of several uploads. */
export interface UploadTotals {
  readonly count: number;
  readonly done: number;
  readonly failed: number;
  readonly pending: number;
  readonly paused: number;
  readonly size: number;
  readonly loaded: number;
  /** Work of the pending uploads, in the unit of {@link workOf}. */
  readonly workLeft: number;
  /** Share of all work that is done, 0 to 1. */
  readonly part: number;
}

/** Adds up uploads one by one: ten thousand of them several times a second. */
export interface UploadSum {
  add(item: UploadItem): void;
  read(): UploadTotals;
}

export function createUploadSum(): UploadSum {
  let [count, done, failed, pending, paused] = [0, 0, 0, 0, 0];
  let [size, loaded, work, workDone, workLeft] = [0, 0, 0, 0, 0];
  return {
    add(item) {
      const { state } = item;
      if (state === 'cancelled' || state === 'skipped') return;
      count += 1;
      size += item.size;
      loaded += item.loaded;
      work += workOf(item);
      workDone += state === 'done' ? workOf(item) : item.loaded;
      if (state === 'done') done += 1;
      else if (state === 'failed') failed += 1;
      else if (state === 'paused' || state === 'waiting') paused += 1;
      else {
        pending += 1;
        workLeft += workOf(item) - item.loaded;
      }
    },
    read: () => ({
      count,
      done,
      failed,
      pending,
      paused,
      size,
      loaded,
      workLeft,
      part: work > 0 ? workDone / work : 0,
    }),
  };
}

export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const sum = createUploadSum();
  for (const item of items) sum.add(item);
  return sum.read();
}

/**
 * Returns the uploads that header and ring report on: batches with pending uploads, not those that ended before.
 */
export function currentOf(items: readonly UploadItem[]): readonly UploadItem[] {
  const batches = new Set(items.filter((item) => isPending(item.state)).map((item) => item.batch));
  return items.filter((item) => batches.has(item.batch));
}

/** Returns true if the bytes determine the duration: for many small files a speed in bytes is meaningless. */
export function isAboutBytes({ pending, size, loaded }: UploadTotals): boolean {
  return size - loaded > pending * FILE_COST;
}
