/**
 * Limit and usage of a member's storage, in bytes. Growth never raises used and reserved bytes together
 * beyond the limit.
 */
export interface QuotaState {
  readonly limit: number;
  readonly used: number;
  readonly reserved: number;
  /** Part of `used` in the trash, as last measured. */
  readonly trashed: number;
}

/** Change of a member's usage (`storage`) or limit (`limit`), in bytes; each counter equals the sum of all its changes. */
export interface LedgerEntry {
  readonly id: string;
  readonly account: string;
  readonly resource: 'storage' | 'limit';
  readonly amount: number;
  readonly reason: string;
  readonly reference: string;
  readonly at: number;
}

/**
 * Reason and cause of a change. Of the usage: `upload`, `copy`, `restore`, `delete`, `repair`; id of the task, node or
 * upload. Of the limit: `plan`, `administrator`; `base`, the plan or the benefit.
 */
export interface LedgerNote {
  readonly reason: string;
  readonly reference: string;
}

/** Kinds of traffic; `shared` is what others download through the member’s shares. */
export const TRANSFER_KINDS = ['upload', 'download', 'offline', 'shared'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];
/** Bytes transferred in a month. */
export type TrafficTotals = Readonly<Record<TransferKind, number>>;

const SINGAPORE_MS = 8 * 3600 * 1000;
const LONGEST_MONTH_DAYS = 31;

/** `2026-11`: accounting month of the protocol, which starts at midnight in Singapore. */
export function monthOf(time: number): string {
  return new Date(time + SINGAPORE_MS).toISOString().slice(0, 7);
}

/** When the month of a time ends, in milliseconds. */
export function monthEnd(time: number): number {
  const [year, month] = monthOf(time).split('-').map(Number);
  return Date.UTC(year!, month!, 1) - SINGAPORE_MS;
}

/** Converts a daily allowance to the most that it allows in a month. */
export function monthly(daily: number): number {
  return daily * LONGEST_MONTH_DAYS;
}
