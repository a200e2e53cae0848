import type { Entitlements } from './entitlement.ts';
import type { Term } from './benefit.ts';

/** Time for which the deleted items of an account stay in its trash. */
export interface TrashRule {
  /** Days for items that are deleted now. */
  readonly days: number;
  /** Days for an item: those of now, or those of the plans at the time of its deletion if these are more. */
  daysOf(trashedAt: number): number;
  /** Differs whenever the days of an item may differ. */
  readonly tag: string;
}

/** The rule of an account that has nothing but the free plan, and of everyone if no plan has more days. */
export function plainTrashRule(days: number): TrashRule {
  return { days, daysOf: () => days, tag: String(days) };
}

/** The rule of an account with plans; `entitlementsAt` returns the limits that some of its terms give at a time. */
export function trashRuleOf(
  terms: readonly Term[],
  entitlementsAt: (terms: readonly Term[], at: number) => Entitlements,
  now: number,
): TrashRule {
  const days = entitlementsAt(terms, now).trashDays;
  // A plan that was granted after the deletion was none of the plans at that time.
  const daysThen = (at: number): number =>
    entitlementsAt(
      terms.filter(({ startsAt }) => startsAt <= at),
      at,
    ).trashDays;
  return {
    days,
    daysOf: (trashedAt) => Math.max(days, daysThen(trashedAt)),
    tag: JSON.stringify([days, terms.map(({ plan, startsAt, endsAt }) => [plan, startsAt, endsAt])]),
  };
}
