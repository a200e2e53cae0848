import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import { benefitStore } from './benefit-store.ts';
import { isInForce, isReserve, schedule, type Benefit, type Term } from './benefit.ts';
import { best, trafficLimits, type Entitlements, type TrafficLimits } from './entitlement.ts';
import { FREE, type Plan, type Plans } from './plan.ts';
import { plainTrashRule, trashRuleOf, type TrashRule } from './trash-rule.ts';
import type { StorageLimits } from './storage-limit-service.ts';

/** A plan that a member has now, other than the free one. */
export interface HeldPlan {
  readonly plan: Plan;
  /** Undefined if it does not end. */
  readonly endsAt: number | undefined;
}

/** Limits of someone who has these plans besides the free one, which has the least. */
export function entitlementsWith(least: Entitlements, held: readonly HeldPlan[]): Entitlements {
  return held.reduce((sum, { plan }) => best(sum, plan.entitlements), least);
}

export type NewBenefit = Omit<Benefit, 'id' | 'grantedAt' | 'revokedAt'>;

/** Days of a plan, with what they are given for. */
export interface DaysOfPlan extends Pick<Benefit, 'cause' | 'reference'> {
  readonly plan: Plan;
  readonly days: number;
}

const DAY_MS = 24 * 3600 * 1000;

/** Plans and storage given to members, and the limits that follow from them. */
export interface Benefits {
  /** Grants a benefit; returns false, without any effect, if its cause has granted it to the account already. */
  grant(tx: Tx, benefit: NewBenefit): Promise<boolean>;
  /** Grants days of a plan, in the same way. */
  grantDays(tx: Tx, account: string, days: DaysOfPlan): Promise<boolean>;
  /** Ends a benefit now. Returns false if the account has no such benefit in force or to come. */
  revoke(tx: Tx, account: string, id: string): Promise<boolean>;
  /** Lists all benefits of an account, oldest first. */
  list(sql: Sql, account: string): Promise<Term[]>;
  /** Plans that the account has now, the one that lasts longest first. */
  held(sql: Sql, account: string): Promise<HeldPlan[]>;
  /** Limits of an account. The storage that it really has is in its quota, with additional storage and grace. */
  entitlements(sql: Sql, account: string): Promise<Entitlements>;
  /** Traffic of an account per month and kind in bytes, with its packs; and those packs, the first to end first. */
  traffic(sql: Sql, account: string): Promise<{ limits: TrafficLimits; packs: Term[] }>;
  /** Returns how long the account’s deleted items stay in the trash. */
  trash(sql: Sql, account: string): Promise<TrashRule>;
  /** Limits of everyone: nobody has lower ones. */
  readonly least: Entitlements;
  /** True if a plan with a higher limit is for sale. */
  isMoreSold(limit: keyof Entitlements, than: number): boolean;
}

export function createBenefits({
  plans,
  forSale = [],
  limits,
  clock,
  ids,
}: {
  plans: Plans;
  /** Plans that members can buy. */
  forSale?: readonly Plan[];
  limits: StorageLimits;
  clock: Clock;
  ids: Ids;
}): Benefits {
  const least = plans.free.entitlements;
  const lock = (tx: Tx, account: string): Promise<void> => tx.lock(`benefit:${account}`);

  /** Writes the terms that differ from the stored ones, and the limit that follows. */
  async function reschedule(tx: Tx, account: string, benefits: readonly Term[]): Promise<void> {
    const before = new Map(benefits.map((term) => [term.id, term]));
    for (const term of schedule(benefits)) {
      const { startsAt, endsAt } = before.get(term.id)!;
      if (term.startsAt !== startsAt || term.endsAt !== endsAt) await benefitStore.setTerm(tx, term);
    }
    await benefitStore.remindAgain(tx, account, clock.now() - plans.graceMs);
    await limits.update(tx, account);
  }

  function heldOf(terms: readonly Term[], now: number): HeldPlan[] {
    const present = new Set(terms.filter((term) => isInForce(term, now)).map(({ plan }) => plan));
    return [...present]
      .flatMap((id) => {
        const plan = id === FREE ? undefined : plans.find(id);
        if (!plan) return [];
        const ends = terms
          .filter((term) => term.plan === id && !isReserve(term, now))
          .map(({ endsAt = Infinity }) => endsAt);
        const last = Math.max(...ends);
        return [{ plan, endsAt: last === Infinity ? undefined : last }];
      })
      .toSorted((a, b) => (b.endsAt ?? Infinity) - (a.endsAt ?? Infinity));
  }

  async function held(sql: Sql, account: string): Promise<HeldPlan[]> {
    const now = clock.now();
    return heldOf(await benefitStore.list(sql, account, now), now);
  }

  const benefits: Benefits = {
    async grant(tx, benefit) {
      await lock(tx, benefit.account);
      const grantedAt = clock.now();
      const term = {
        ...benefit,
        id: ids.next(),
        grantedAt,
        revokedAt: undefined,
        startsAt: grantedAt,
        endsAt: benefit.length === undefined ? undefined : grantedAt + benefit.length,
      };
      if (!(await benefitStore.insert(tx, term))) return false;
      await reschedule(tx, benefit.account, await benefitStore.list(tx, benefit.account));
      return true;
    },

    grantDays: (tx, account, { plan, days, cause, reference }) =>
      benefits.grant(tx, {
        account,
        kind: 'plan',
        plan: plan.id,
        bytes: 0,
        length: days * DAY_MS,
        cause,
        reference,
      }),

    async revoke(tx, account, id) {
      await lock(tx, account);
      const now = clock.now();
      const all = await benefitStore.list(tx, account);
      const term = all.find((one) => one.id === id);
      if (!term || term.revokedAt !== undefined || (term.endsAt ?? Infinity) <= now) return false;
      const revoked = { ...term, revokedAt: now };
      await benefitStore.setTerm(tx, revoked);
      await reschedule(
        tx,
        account,
        all.map((one) => (one.id === id ? revoked : one)),
      );
      return true;
    },

    least,
    isMoreSold: (limit, than) => forSale.some(({ entitlements }) => entitlements[limit] > than),
    list: (sql, account) => benefitStore.list(sql, account),
    held,

    entitlements: async (sql, account) => entitlementsWith(least, await held(sql, account)),

    async trash(sql, account) {
      const most = Math.max(...plans.ids.map((id) => plans.find(id)!.entitlements.trashDays));
      if (most === least.trashDays) return plainTrashRule(most);
      const terms = (await benefitStore.list(sql, account)).filter(({ kind }) => kind === 'plan');
      if (terms.length === 0) return plainTrashRule(least.trashDays);
      return trashRuleOf(terms, (some, at) => entitlementsWith(least, heldOf(some, at)), clock.now());
    },

    async traffic(sql, account) {
      const now = clock.now();
      const terms = await benefitStore.list(sql, account, now);
      const packs = terms
        .filter((term) => term.kind === 'traffic' && isInForce(term, now))
        .toSorted((a, b) => (a.endsAt ?? Infinity) - (b.endsAt ?? Infinity));
      return { limits: trafficLimits(entitlementsWith(least, heldOf(terms, now)), packs), packs };
    },
  };
  return benefits;
}
