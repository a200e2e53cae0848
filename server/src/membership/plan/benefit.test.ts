import { describe, expect, test } from 'vitest';
import { isInForce, schedule, type Benefit, type Term } from './benefit.ts';
import { numbers } from '../../../testing/random-numbers.ts';

const DAY = 24 * 3600 * 1000;
let count = 0;

const benefit = (more: Partial<Benefit>): Benefit => ({
  id: String((count += 1)).padStart(8, '0'),
  account: 'ann',
  kind: 'plan',
  plan: 'vip',
  bytes: 0,
  length: 30 * DAY,
  cause: 'administrator',
  reference: String(count),
  grantedAt: 0,
  revokedAt: undefined,
  ...more,
});

/** Start and end in days. */
const days = (terms: readonly Term[]): (number | undefined)[][] =>
  terms.map(({ startsAt, endsAt }) => [startsAt / DAY, endsAt === undefined ? undefined : endsAt / DAY]);

describe('terms', () => {
  test('of the same plan follow one another', () => {
    const terms = schedule([
      benefit({}),
      benefit({ grantedAt: 10 * DAY, length: 7 * DAY }),
      benefit({ grantedAt: 100 * DAY, length: DAY }),
    ]);
    expect(days(terms)).toEqual([
      [0, 30],
      [30, 37],
      [100, 101],
    ]);
  });

  test('of different plans, and of additional storage, run at the same time', () => {
    const terms = schedule([
      benefit({}),
      benefit({ plan: 'team' }),
      benefit({ kind: 'storage', plan: '', bytes: 1 }),
      benefit({ kind: 'storage', plan: '', bytes: 1, grantedAt: DAY }),
    ]);
    expect(days(terms)).toEqual([
      [0, 30],
      [0, 30],
      [0, 30],
      [1, 31],
    ]);
  });

  test('after a revoked one start earlier', () => {
    const second = benefit({ grantedAt: DAY });
    expect(days(schedule([benefit({ revokedAt: 10 * DAY }), second]))).toEqual([
      [0, 10],
      [10, 40],
    ]);
    const unused = benefit({ grantedAt: DAY, revokedAt: 2 * DAY });
    expect(days(schedule([benefit({}), unused, benefit({ grantedAt: 3 * DAY })]))).toEqual([
      [0, 30],
      [30, 30],
      [30, 60],
    ]);
  });

  test('that do not end delay no others', () => {
    expect(days(schedule([benefit({ length: undefined }), benefit({ grantedAt: DAY })]))).toEqual([
      [0, undefined],
      [1, 31],
    ]);
  });

  test('start when they are granted, even if the clock was ahead at that time', () => {
    const [first, next] = schedule([benefit({ grantedAt: 400 * DAY }), benefit({ grantedAt: 401 * DAY })]);
    expect(isInForce(first!, 5 * DAY)).toBe(true);
    expect(isInForce(next!, 5 * DAY)).toBe(false);
    expect(isInForce(first!, 430 * DAY)).toBe(false);
    expect(isInForce(next!, 430 * DAY)).toBe(true);
  });

  test('are never shorter than granted, and have no gaps, whatever is granted and revoked when', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const next = numbers(seed);
      const within = (most: number): number => Math.floor(next() * most);
      const plans = ['vip', 'team'];
      const granted = Array.from({ length: 1 + within(12) }, () => {
        const grantedAt = within(200 * DAY);
        return benefit({
          plan: plans[within(2)]!,
          grantedAt,
          length: within(40 * DAY),
          revokedAt: next() < 0.3 ? grantedAt + within(100 * DAY) : undefined,
        });
      });
      const terms = schedule(granted);
      expect(terms).toHaveLength(granted.length);
      for (const plan of plans) {
        const chain = terms
          .filter((term) => term.plan === plan)
          .toSorted((a, b) => a.startsAt - b.startsAt || a.endsAt! - b.endsAt!);
        for (const [at, term] of chain.entries()) {
          const { startsAt, endsAt, length, revokedAt, grantedAt } = term;
          expect(startsAt).toBeGreaterThanOrEqual(grantedAt);
          if (revokedAt === undefined) expect(endsAt! - startsAt).toBe(length);
          else expect(endsAt! - startsAt).toBeLessThanOrEqual(length!);
          const before = chain[at - 1];
          if (before) expect(startsAt).toBeGreaterThanOrEqual(before.endsAt!);
          // It waits only for another one.
          if (startsAt > grantedAt) expect(before!.endsAt).toBe(startsAt);
        }
      }
    }
  });
});
