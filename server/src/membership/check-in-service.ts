import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import { checkInStore as store } from './check-in-store.ts';
import { dayAfter, dayOf, streakOf } from './check-in.ts';

/** Days on which members checked in; each counts once, however often it is sent. */
export interface CheckIns {
  /** Returns true for the one call that counted. */
  checkIn(account: string): Promise<boolean>;
  of(account: string, month: string | undefined): Promise<CheckInMonth>;
  /** All days, oldest first. */
  days(account: string): Promise<string[]>;
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

export function createCheckIns({ database, clock }: { database: Database; clock: Clock }): CheckIns {
  return {
    checkIn: (account) => database.transaction((tx) => store.add(tx, account, dayOf(clock.now()))),

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
