import type { Clock } from '../foundation/index.ts';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { checkInStore as store } from './check-in-store.ts';
import { dayAfter, dayOf, streakOf } from './check-in.ts';
import type { Offers } from './offer/index.ts';
import type { Benefits } from './plan/index.ts';

/** Days on which members checked in; each counts once, however often it is sent. */
export interface CheckIns {
  /** Returns true for the one call that counted. It also grants the reward of a streak that it reaches. */
  checkIn(account: string): Promise<boolean>;
  of(account: string, month: string | undefined): Promise<CheckInMonth>;
  /** Days of a plan that check-ins earned, oldest first. */
  earned(sql: Sql, account: string): Promise<EarnedDays[]>;
  /** All days, oldest first. */
  days(account: string): Promise<string[]>;
}

export interface EarnedDays {
  /** Day of the check-in. */
  readonly day: string;
  readonly days: number;
}

export interface CheckInMonth {
  readonly today: string;
  readonly days: readonly string[];
  readonly streak: number;
  readonly isIn: boolean;
  readonly total: number;
  /** Start of the next day. */
  readonly nextAt: number;
}

/** Longest streak that is computed, ten years. */
const LONGEST = 3660;
const DAY_MS = 24 * 3600 * 1000;

export function createCheckIns({
  database,
  benefits,
  offers: { checkIn: offer },
  clock,
}: {
  database: Database;
  benefits: Pick<Benefits, 'grantDays' | 'list'>;
  offers: Pick<Offers, 'checkIn'>;
  clock: Clock;
}): CheckIns {
  /** Grants the reward of the streak that the check-in of a day has reached, if there is one. */
  async function reward(tx: Tx, account: string, day: string): Promise<void> {
    if (!offer) return;
    const longest = offer.rewards.at(-1)!.streak;
    const streak = streakOf(await store.upTo(tx, account, day, longest + 1), day);
    const reached = offer.rewards.find((one) => one.streak === streak);
    if (!reached) return;
    await benefits.grantDays(tx, account, {
      plan: offer.plan,
      days: reached.days,
      cause: 'check_in',
      reference: day,
    });
  }

  return {
    checkIn: (account) =>
      database.transaction(async (tx) => {
        const today = dayOf(clock.now());
        if (!(await store.add(tx, account, today))) return false;
        await reward(tx, account, today);
        return true;
      }),

    async earned(sql, account) {
      return (await benefits.list(sql, account))
        .filter(({ cause, revokedAt }) => cause === 'check_in' && revokedAt === undefined)
        .map(({ reference, length = 0 }) => ({ day: reference, days: length / DAY_MS }));
    },

    async of(account, month) {
      const today = dayOf(clock.now());
      const asked = month ?? today.slice(0, 7);
      const [days, newest, total] = await Promise.all([
        store.within(database, account, `${asked}-01`, `${asked}-31`),
        store.upTo(database, account, today, LONGEST),
        store.count(database, account),
      ]);
      return {
        today,
        days,
        streak: streakOf(newest, today),
        isIn: newest[0] === today,
        total,
        nextAt: Date.parse(dayAfter(today, 1)),
      };
    },

    days: (account) => store.all(database, account),
  };
}
