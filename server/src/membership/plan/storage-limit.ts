import type { LedgerNote } from '../membership.ts';
import { isInForce, withGrace, type Term } from './benefit.ts';
import type { Plan, Plans } from './plan.ts';

/** Part of an account's storage limit. The limit is the sum of all parts. */
export interface LimitPart extends LedgerNote {
  readonly bytes: number;
}

/** Storage limit of an account, what it consists of, and when that changes next; undefined if never. */
export interface StorageLimit {
  readonly bytes: number;
  readonly parts: readonly LimitPart[];
  readonly changesAt: number | undefined;
}

/** Reference of the part that everyone has. */
export const BASE = 'base';

/**
 * Computes a storage limit. After its end, a benefit that wasn't revoked still counts for the grace period, so that
 * nobody's uploads stop at the moment in which a term ends.
 */
export function storageLimit(
  plans: Plans,
  terms: readonly Term[],
  own: number | undefined,
  now: number,
): StorageLimit {
  const extended = terms.map((term) => withGrace(term, plans.graceMs));
  const counting = extended.filter((term) => isInForce(term, now));
  const base = own ?? plans.free.entitlements.storage;
  const parts: LimitPart[] = [
    { bytes: base, reason: own === undefined ? 'plan' : 'administrator', reference: BASE },
  ];

  const ofPlans = counting.flatMap(({ kind, plan }) => (kind === 'plan' ? [plans.find(plan)] : []));
  const largest = ofPlans
    .filter((plan) => plan !== undefined)
    .toSorted((a, b) => b.entitlements.storage - a.entitlements.storage)[0];
  if (largest && largest.entitlements.storage > base)
    parts.push({ bytes: largest.entitlements.storage - base, reason: 'plan', reference: largest.id });

  for (const { kind, bytes, cause, id } of counting)
    if (kind === 'storage') parts.push({ bytes, reason: cause, reference: id });

  const changes = extended
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt ?? now])
    .filter((time) => time > now);
  return {
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    parts,
    changesAt: changes.length > 0 ? Math.min(...changes) : undefined,
  };
}

/** Part of a storage limit, with what it follows from. */
export interface ExplainedPart extends LimitPart {
  readonly kind: 'base' | 'plan' | 'storage';
  /** When the part got its present size. */
  readonly since: number;
  /** Present for a part that comes from a plan. */
  readonly plan: Plan | undefined;
  /** When its last benefit ends; undefined if it doesn't end. */
  readonly endsAt: number | undefined;
  /** Until when the storage remains; undefined if it doesn't end. */
  readonly graceEndsAt: number | undefined;
  /** Benefits from which it follows, oldest first. */
  readonly terms: readonly Term[];
}

/** Adds to each part of a limit what it follows from. `since` has the last changes of the parts, by reference. */
export function explainParts(
  plans: Plans,
  parts: readonly LimitPart[],
  terms: readonly Term[],
  since: ReadonlyMap<string, number>,
): ExplainedPart[] {
  return parts.map((part) => {
    const { reference } = part;
    const kind = reference === BASE ? 'base' : plans.find(reference) ? 'plan' : 'storage';
    const own = terms.filter(
      (term) => kind !== 'base' && (kind === 'plan' ? term.plan === reference : term.id === reference),
    );
    const ends = Math.max(-Infinity, ...own.map(({ endsAt = Infinity }) => endsAt));
    const endsAt = Number.isFinite(ends) ? ends : undefined;
    return {
      ...part,
      kind,
      since: since.get(reference) ?? own[0]?.startsAt ?? 0,
      plan: kind === 'plan' ? plans.find(reference) : undefined,
      endsAt,
      graceEndsAt: endsAt === undefined ? undefined : endsAt + plans.graceMs,
      terms: own,
    };
  });
}
