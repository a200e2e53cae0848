import type { Term } from './benefit.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Reminders of the end of a plan, in their order; each is sent once per term. */
export const REMINDERS = ['week', 'day', 'grace'] as const;
export type Reminder = (typeof REMINDERS)[number];

/** Time before the end. */
const BEFORE_MS: Readonly<Record<Reminder, number>> = { week: 7 * DAY_MS, day: DAY_MS, grace: 0 };

/** Time before its end at which a term is looked at first. */
export const LOOKED_AT_BEFORE_MS = BEFORE_MS.week;

/** State of the reminders of one term. */
export interface Reminding {
  /** Reminder to send now. */
  readonly due: Reminder | undefined;
  /** When to look at the term again; undefined for never. */
  readonly nextAt: number | undefined;
}

/**
 * Decides which reminder of a term is due. Of several that are due, because nothing ran for a while, only the last is.
 * A term that was granted after the time of a reminder needs none: its owner has just been told the end. A plan that goes
 * on after the term has no end to be reminded of.
 *
 * @param told the number of reminders that were sent or skipped
 */
export function remindingOf(
  term: Term,
  { told, terms, graceMs, now }: { told: number; terms: readonly Term[]; graceMs: number; now: number },
): Reminding {
  const { endsAt, grantedAt, revokedAt } = term;
  if (endsAt === undefined || revokedAt !== undefined || goesOn(term, terms))
    return { due: undefined, nextAt: undefined };
  const left = REMINDERS.slice(told).filter((one) =>
    one === 'grace'
      ? now < endsAt + graceMs
      : // A plan that renews is only extended while a charge is tried again, about which its owner is told otherwise.
        term.cause !== 'renewal' && endsAt - BEFORE_MS[one] > grantedAt,
  );
  const next = left.find((one) => endsAt - BEFORE_MS[one] > now);
  return {
    due: left.findLast((one) => endsAt - BEFORE_MS[one] <= now),
    nextAt: next === undefined ? undefined : endsAt - BEFORE_MS[next],
  };
}

function goesOn({ id, plan, endsAt }: Term, terms: readonly Term[]): boolean {
  return terms.some(
    (other) =>
      other.id !== id &&
      other.plan === plan &&
      other.revokedAt === undefined &&
      (other.endsAt ?? Infinity) > endsAt!,
  );
}
