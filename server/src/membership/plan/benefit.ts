/** Reasons why a member was given something. */
export const CAUSES = [
  'administrator',
  'order',
  'code',
  'free_days',
  'invite',
  'friend_order',
  'check_in',
  'task',
  'renewal',
  'compensation',
  'activity',
] as const;
export type Cause = (typeof CAUSES)[number];

/** A plan, or additional storage or traffic, that a member was given for a time. */
export interface Benefit {
  readonly id: string;
  readonly account: string;
  readonly kind: 'plan' | 'storage' | 'traffic';
  /** Id of the plan; "" for the others. */
  readonly plan: string;
  /** Bytes of additional storage, or of additional traffic per month and kind; 0 for a plan. */
  readonly bytes: number;
  /** Milliseconds; undefined if it does not end. */
  readonly length: number | undefined;
  readonly cause: Cause;
  /** Distinguishes benefits of one cause. The same cause and reference grant only once to an account. */
  readonly reference: string;
  readonly grantedAt: number;
  readonly revokedAt: number | undefined;
}

/** A benefit with the time in which it is in force, from `startsAt` (inclusive) to `endsAt` (exclusive). */
export interface Term extends Benefit {
  readonly startsAt: number;
  /** Undefined if it does not end. */
  readonly endsAt: number | undefined;
}

function endOf(start: number, { length, revokedAt }: Benefit): number | undefined {
  const planned = length === undefined ? undefined : start + length;
  return revokedAt === undefined ? planned : Math.max(start, Math.min(planned ?? Infinity, revokedAt));
}

/**
 * Computes when the benefits of an account are in force. Benefits of the same plan follow one another, so each lasts as
 * long as it was granted for, and if one is revoked, those after it start earlier. Different plans run at the same
 * time, and so does all additional storage and traffic. A plan that does not end does not delay others.
 */
export function schedule(benefits: readonly Benefit[]): Term[] {
  const inOrder = benefits.toSorted((a, b) => a.grantedAt - b.grantedAt || (a.id < b.id ? -1 : 1));
  const endOfPlan = new Map<string, number>();
  return inOrder.map((benefit) => {
    const { kind, plan, length, grantedAt } = benefit;
    const follows = kind === 'plan' && length !== undefined;
    const startsAt = follows ? Math.max(grantedAt, endOfPlan.get(plan) ?? grantedAt) : grantedAt;
    const endsAt = endOf(startsAt, benefit);
    if (follows) endOfPlan.set(plan, endsAt!);
    return { ...benefit, startsAt, endsAt };
  });
}

/**
 * True for the extension of a plan that renews, before it begins. Until it is needed, the plan ends when what was paid for
 * ends.
 */
export const isReserve = ({ cause, startsAt }: Term, now: number): boolean =>
  cause === 'renewal' && startsAt > now;

/** A benefit that follows no other is in force as soon as it was granted, even if a wrong clock was ahead then. */
export function isInForce({ startsAt, grantedAt, endsAt = Infinity }: Term, now: number): boolean {
  return (startsAt <= now || startsAt === grantedAt) && now < endsAt;
}

/** A storage limit keeps what a benefit gave for the grace period after its end, unless the benefit was revoked. */
export const withGrace = (term: Term, graceMs: number): Term =>
  term.endsAt === undefined || term.revokedAt !== undefined
    ? term
    : { ...term, endsAt: term.endsAt + graceMs };

const DAY_MS = 24 * 3600 * 1000;

/** Days that are left of a benefit with an end; a day that has begun counts as a whole one. */
export function daysLeft(term: Term | undefined, now: number): number {
  if (!term || term.revokedAt !== undefined || term.endsAt === undefined) return 0;
  return Math.max(0, Math.ceil((term.endsAt - Math.max(now, term.startsAt)) / DAY_MS));
}
