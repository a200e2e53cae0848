import type { Activity, ActivityState, ActivityType, ProductKind } from '@bowerbird/contract';
import { emailKey, type AccountRow } from '../../account/index.ts';
import { dayOf } from '../check-in.ts';
import type { Sale } from '../order/index.ts';
import type { Plan, Term } from '../plan/index.ts';

/** A plan, or additional storage or traffic, that an activity gives for some days. */
export interface Gift {
  readonly kind: ProductKind;
  /** Undefined for storage and traffic. */
  readonly plan: Plan | undefined;
  /** 0 for a plan. */
  readonly bytes: number;
  readonly days: number;
}

/** Conditions, all of which a member has to meet to be affected; without any, everyone is. Times are milliseconds. */
export interface Affected {
  readonly registeredBefore: number | undefined;
  /** The member had this plan (or any, if undefined) at some time in the period. */
  readonly hadPlan:
    | { readonly plan: string | undefined; readonly since: number; readonly until: number }
    | undefined;
  /** Ids, normalized email addresses and phone numbers; they count only for accounts from before the activity. */
  readonly members: ReadonlySet<string> | undefined;
}

/** An activity of the administrator's document, with what it gives. At most one of the last three is defined. */
export interface Campaign extends Activity {
  readonly compensation: { readonly affected: Affected; readonly gifts: readonly Gift[] } | undefined;
  /** Gifts by UTC day, earliest first. */
  readonly calendar: ReadonlyMap<string, Gift> | undefined;
  readonly sale: Sale | undefined;
}

export function typeOf({ compensation, calendar, sale }: Campaign): ActivityType {
  if (compensation) return 'compensation';
  if (calendar) return 'daily_gift';
  return sale ? 'sale' : 'text';
}

export function stateOf({ begins, ends }: Pick<Activity, 'begins' | 'ends'>, now: number): ActivityState {
  return now < begins ? 'coming' : now < ends ? 'running' : 'over';
}

/** Address of an activity's page, without a language. */
export const pathOf = ({ name, id }: Pick<Activity, 'name' | 'id'>): string =>
  `/activity/${name}${id === name ? '' : `?id=${encodeURIComponent(id)}`}`;

type Member = Pick<AccountRow, 'id' | 'email' | 'phone' | 'createdAt'>;

/** Returns whether a member, who was given these benefits, is affected by what an activity that began then makes up for. */
export function isAffected(
  { registeredBefore, hadPlan, members }: Affected,
  { id, email, phone, createdAt }: Member,
  benefits: readonly Term[],
  begins: number,
): boolean {
  if (registeredBefore !== undefined && createdAt >= registeredBefore) return false;
  if (hadPlan && !benefits.some((term) => wasInForce(term, hadPlan))) return false;
  if (!members) return true;
  // Nobody gets anything by signing up with somebody else's address later.
  return createdAt < begins && [id, emailKey(email), phone].some((name) => name !== '' && members.has(name));
}

function wasInForce(
  { kind, plan, startsAt, endsAt = Infinity }: Term,
  asked: NonNullable<Affected['hadPlan']>,
): boolean {
  const isAsked = kind === 'plan' && (asked.plan === undefined || plan === asked.plan);
  return isAsked && startsAt < endsAt && startsAt < asked.until && endsAt > asked.since;
}

/** The days of a calendar as one member sees them. */
export interface CalendarDay {
  readonly day: string;
  readonly state: 'opened' | 'open' | 'past' | 'coming';
  /** The benefit that was granted; undefined unless it was opened. */
  readonly gift: Term | undefined;
}

const DAY_MS = 24 * 3600 * 1000;

/** UTC days in which a part of a period lies, earliest first. */
export function daysOf({ begins, ends }: Pick<Activity, 'begins' | 'ends'>): string[] {
  const first = Math.floor(begins / DAY_MS);
  const last = Math.ceil(ends / DAY_MS);
  return Array.from({ length: last - first }, (_, at) => dayOf((first + at) * DAY_MS));
}
