import type { TransferKind } from '../membership.ts';

/** Limits of a member. Each comes from the plans they have; `Infinity` stands for no limit. */
export interface Entitlements {
  /** Bytes in the drive. */
  readonly storage: number;
  /** Cloud downloads that can be created per day (UTC). */
  readonly tasksDaily: number;
  /** Cloud downloads that run at the same time. */
  readonly tasksRunning: number;
  /** Bytes of one cloud download. */
  readonly taskSize: number;
  /** Bytes that cloud downloads can fetch per day (UTC). */
  readonly trafficDaily: number;
  /** Bytes that cloud downloads can fetch per month (Singapore). */
  readonly offlineMonthly: number;
  /** Bytes that can be downloaded from the drive per month (Singapore), and as many through its shares. */
  readonly downloadMonthly: number;
  /** Bytes that can be uploaded per month (Singapore). */
  readonly uploadMonthly: number;
  /** Bytes per second at which one process sends all downloads of the member's files together. */
  readonly downloadSpeed: number;
  /** Shares that exist at the same time, without those that have expired or were canceled. */
  readonly shares: number;
  /** Feeds and links that are downloaded automatically. */
  readonly subscriptions: number;
  /** Earlier versions that are kept of each file; 0 for none. */
  readonly versions: number;
  /** Days for which earlier versions are kept. */
  readonly versionDays: number;
  /** Days for which something stays in the trash. */
  readonly trashDays: number;
}

export const ENTITLEMENTS = [
  'storage',
  'tasksDaily',
  'tasksRunning',
  'taskSize',
  'trafficDaily',
  'offlineMonthly',
  'downloadMonthly',
  'uploadMonthly',
  'downloadSpeed',
  'shares',
  'subscriptions',
  'versions',
  'versionDays',
  'trashDays',
] as const satisfies readonly (keyof Entitlements)[];

/** The better of two in each respect. */
export function best(one: Entitlements, other: Entitlements): Entitlements {
  return Object.fromEntries(
    ENTITLEMENTS.map((name) => [name, Math.max(one[name], other[name])]),
  ) as unknown as Entitlements;
}

/** Bytes per month of each kind of traffic; `Infinity` for no limit. */
export type TrafficLimits = Readonly<Record<TransferKind, number>>;

/** Adds the bytes of all packs to each kind of traffic. What visitors download has a limit of its own. */
export function trafficLimits(
  { offlineMonthly, downloadMonthly, uploadMonthly }: Entitlements,
  packs: readonly { readonly bytes: number }[],
): TrafficLimits {
  const more = packs.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    offline: offlineMonthly + more,
    download: downloadMonthly + more,
    upload: uploadMonthly + more,
    shared: downloadMonthly + more,
  };
}
