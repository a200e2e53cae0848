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
}

export const ENTITLEMENTS = [
  'storage',
  'tasksDaily',
  'tasksRunning',
  'taskSize',
  'trafficDaily',
] as const satisfies readonly (keyof Entitlements)[];

/** The better of two in each respect. */
export function best(one: Entitlements, other: Entitlements): Entitlements {
  return Object.fromEntries(
    ENTITLEMENTS.map((name) => [name, Math.max(one[name], other[name])]),
  ) as unknown as Entitlements;
}
