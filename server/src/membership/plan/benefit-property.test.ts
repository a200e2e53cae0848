import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysOfMonths } from '../order/product.ts';
import { isInForce, schedule, type Benefit, type Term } from './benefit.ts';

const DAY = 24 * 3600 * 1000;
const HOUR = 3600 * 1000;
/** From the middle of a year into and beyond the next leap year. */
const START = Date.UTC(2027, 5, 30);

const time = fc.integer({ min: START, max: START + 600 * DAY });
const history = fc.array(
  fc.record({
    kind: fc.constantFrom('plan' as const, 'plan' as const, 'storage' as const, 'traffic' as const),
    plan: fc.constantFrom('vip', 'team'),
    length: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 * DAY }) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    grantedAt: time,
    // A clock that was set back revokes before it grants.
    revokedAt: fc.oneof(fc.constant(undefined), fc.constant(undefined), time),
  }),
  { minLength: 1, maxLength: 14 },
);
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const benefitsOf = (grants: History): Benefit[] =>
  grants.map((one, at) => ({
    ...one,
    id: String(at).padStart(8, '0'),
    account: 'ann',
    plan: one.kind === 'plan' ? one.plan : '',
    bytes: 0,
    cause: 'order',
    reference: String(at),
  }));
const lasts = ({ startsAt, endsAt = Infinity }: Term): number => endsAt - startsAt;

describe('whatever is granted and revoked, by whatever clock,', () => {
  test('a term is as long as what was paid for, and begins when it was granted or another one ends', () => {
    fc.assert(
      fc.property(history, (grants) => {
        const terms = schedule(benefitsOf(grants));
        expect(terms).toHaveLength(grants.length);
        for (const term of terms) {
          const { kind, plan, length = Infinity, grantedAt, revokedAt, startsAt } = term;
          if (revokedAt === undefined) expect(lasts(term)).toBe(length);
          expect(lasts(term)).toBeGreaterThanOrEqual(0);
          expect(lasts(term)).toBeLessThanOrEqual(length);
          if (startsAt === grantedAt) continue;
          expect(kind).toBe('plan');
          expect(startsAt).toBeGreaterThan(grantedAt);
          expect(terms.some((other) => other.plan === plan && other.endsAt === startsAt)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('limited terms of a plan never run at the same time', () => {
    fc.assert(
      fc.property(history, time, (grants, now) => {
        const terms = schedule(benefitsOf(grants));
        for (const plan of ['vip', 'team']) {
          const present = terms.filter(
            (term) =>
              term.plan === plan && term.length !== undefined && term.startsAt <= now && isInForce(term, now),
          );
          expect(present.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('a refund takes only its own days: the others are as long as before, and none begins later', () => {
    fc.assert(
      fc.property(history, fc.nat(), time, (grants, which, now) => {
        const benefits = benefitsOf(grants);
        const refunded = benefits[which % benefits.length]!;
        fc.pre(refunded.revokedAt === undefined);
        const before = new Map(schedule(benefits).map((term) => [term.id, term]));
        const after = schedule(benefits.map((one) => (one === refunded ? { ...one, revokedAt: now } : one)));
        for (const term of after) {
          const was = before.get(term.id)!;
          if (term.id === refunded.id) {
            // Days that were used stay used.
            expect(term.startsAt).toBe(was.startsAt);
            expect(term.endsAt).toBe(Math.max(was.startsAt, Math.min(was.endsAt ?? Infinity, now)));
            continue;
          }
          expect(term.startsAt).toBeLessThanOrEqual(was.startsAt);
          if (term.revokedAt === undefined) expect(lasts(term)).toBe(lasts(was));
          // Nothing moves into the past.
          if (was.startsAt > now) expect(term.startsAt).toBeGreaterThanOrEqual(Math.min(now, was.startsAt));
        }
      }),
      { numRuns: 400 },
    );
  });

  test('the result does not depend on the order in which benefits are read', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (grants, draws) => {
        const benefits = benefitsOf(grants);
        const mixed = benefits
          .map((one) => [draws.next().value as number, one] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect(schedule(mixed)).toEqual(schedule(benefits));
      }),
      { numRuns: 300 },
    );
  });
});

test('months that were paid for are never shorter than those of the calendar, whenever and wherever they begin', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2048, 0, 1) }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: -12, max: 14 }),
      (begin, months, zone) => {
        // The calendar of a time zone, as times in UTC.
        const local = new Date(begin + zone * HOUR);
        const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
        const last = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
        const end =
          Date.UTC(year, month + months, Math.min(day, last)) + (local.getTime() % DAY) - zone * HOUR;
        expect(begin + daysOfMonths(months) * DAY).toBeGreaterThanOrEqual(end);
      },
    ),
    { numRuns: 1000 },
  );
  expect([1, 2, 3, 6, 12].map(daysOfMonths)).toEqual([31, 62, 92, 184, 366]);
});
