import { currentOf, totalsOf, type UploadItem, type UploadTotals } from './upload-item.ts';
import type { UploadPace } from './upload-pace.ts';

/** State of all uploads at one moment, as the page shows it. */
export interface UploadSnapshot {
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
  /** Totals of the active batches. */
  readonly current: UploadTotals;
  /** Bytes per second of all uploads. */
  readonly speed: number;
  /** Seconds until all uploads are done; `undefined` while unknown. */
  readonly secondsLeft: number | undefined;
  readonly atOnce: number;
}

export const NOTHING: UploadSnapshot = {
  items: [],
  totals: totalsOf([]),
  current: totalsOf([]),
  speed: 0,
  secondsLeft: undefined,
  atOnce: 5,
};

export function snapshotOf(items: readonly UploadItem[], pace: UploadPace, atOnce: number): UploadSnapshot {
  const totals = totalsOf(items);
  return { items, totals, current: totalsOf(currentOf(items)), ...pace.read(totals.workLeft), atOnce };
}
