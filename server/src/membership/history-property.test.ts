import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { grantBenefit, openTestApp, runJob, turnableClock, type TestApp } from '../../testing/index.ts';
import type { OrderRow } from './order/index.ts';
import { schedule, type Term } from './plan/benefit.ts';

const HOUR = 3600 * 1000;
const MB = 2 ** 20;
const terms = [
  { id: 'month', months: 1, price: { USD: 499 } },
  { id: 'year', months: 12, price: { USD: 4999 } },
  { id: 'week', days: 7, price: { USD: 199 } },
];
const DOCUMENTS = {
  external_products: {
    grace_days: 3,
    plans: [
      { id: 'vip', storage: '50 MB' },
      { id: 'team', storage: '200 MB' },
    ],
    products: [
      { id: 'vip', kind: 'plan', plan: 'vip', name: 'VIP', terms },
      { id: 'team', kind: 'plan', plan: 'team', name: 'Team', terms },
      { id: 'space', kind: 'storage', bytes: '5 MB', name: '5 MB', terms },
      { id: 'traffic', kind: 'traffic', bytes: '5 MB', name: '5 MB', terms },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
  },
};

const event = fc.oneof(
  fc.record({
    do: fc.constant('buy' as const),
    product: fc.constantFrom('vip', 'team', 'space', 'traffic'),
    term: fc.constantFrom('month', 'year', 'week'),
  }),
  fc.record({ do: fc.constant('refund' as const), which: fc.nat() }),
  fc.record({
    do: fc.constant('give' as const),
    plan: fc.constantFrom('vip', 'team', ''),
    days: fc.constantFrom(1, 29, undefined),
  }),
  fc.record({ do: fc.constant('revoke' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('store' as const), bytes: fc.integer({ min: 1, max: MB }) }),
  fc.record({ do: fc.constant('delete' as const), part: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constant('wait' as const),
    // The clock is set back sometimes, by up to a week.
    hours: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 * 24 }) },
      { weight: 1, arbitrary: fc.integer({ min: -7 * 24, max: -1 }) },
    ),
  }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Everything that must hold at any time for an account. */
async function expectSound(app: TestApp, account: string, paid: readonly OrderRow[]): Promise<void> {
  const { limit, used } = await app.quota.of(app.database, account);
  const { rows } = await sql<{ resource: string; sum: number }>`
    select resource, sum(amount) as sum from ledger where account = ${account} group by resource
  `.execute(app.database.on());
  const sums = Object.fromEntries(rows.map(({ resource, sum }) => [resource, Number(sum)]));
  expect([sums['limit'], sums['storage'] ?? 0]).toEqual([limit, used]);
  expect(await app.quota.compareLimit(app.database, account)).toEqual({
    recorded: limit,
    computed: limit,
    ledger: limit,
  });

  const all = await app.benefits.list(app.database, account);
  // The stored terms are those that follow from the benefits.
  const times = (some: readonly Term[]) =>
    Object.fromEntries(some.map(({ id, startsAt, endsAt }) => [id, [startsAt, endsAt]]));
  expect(times(all)).toEqual(times(schedule(all)));
  for (const { id, length } of paid) {
    const [term, ...others] = all.filter(({ cause, reference }) => cause === 'order' && reference === id);
    expect(others).toEqual([]);
    expect(term!.revokedAt).toBeUndefined();
    expect(term!.endsAt! - term!.startsAt).toBe(length);
  }
}

test('in random histories the ledger’s sums are the quota, paid terms keep their length, and refunds take only their own days', async () => {
  const clock = turnableClock(Date.UTC(2027, 11, 30, 15, 30));
  await using app = await openTestApp({
    clock,
    documents: DOCUMENTS,
    environment: { MEMBER_STORAGE: '10 MB' },
  });
  let members = 0;

  async function live(events: readonly Event[]): Promise<void> {
    members += 1;
    const ann = await app.signUp(`ann${members}`);
    const paid: OrderRow[] = [];
    const storage = { reason: 'copy', reference: 'test' };
    for (const one of events) {
      const all = await app.benefits.list(app.database, ann.id);
      switch (one.do) {
        case 'buy': {
          const order = await app.orders.create(ann.id, { ...one, currency: 'USD' });
          const { order: confirmed } = (await app.orders.confirm(order))!;
          await app.orders.confirm(order);
          paid.push(confirmed);
          break;
        }
        case 'refund': {
          const order = paid[one.which % paid.length];
          if (!order) break;
          await app.orders.refund(order);
          await app.orders.refund(order);
          paid.splice(paid.indexOf(order), 1);
          const after = await app.benefits.list(app.database, ann.id);
          for (const term of after) {
            const was = all.find(({ id }) => id === term.id)!;
            if (term.reference === order.id) continue;
            expect(term.startsAt).toBeLessThanOrEqual(was.startsAt);
            if (term.revokedAt === undefined && term.length !== undefined)
              expect(term.endsAt! - term.startsAt).toBe(term.length);
            expect(term.revokedAt).toBe(was.revokedAt);
          }
          break;
        }
        case 'give':
          await grantBenefit(app, ann, { plan: one.plan, bytes: one.plan === '' ? MB : 0, days: one.days });
          break;
        case 'revoke': {
          const given = all.filter(({ cause }) => cause === 'administrator');
          const term = given[one.which % given.length];
          if (term) await app.database.transaction((tx) => app.benefits.revoke(tx, ann.id, term.id));
          break;
        }
        case 'store':
          // Refused if it does not fit, which changes nothing.
          await app.database
            .transaction((tx) => app.quota.charge(tx, ann.id, one.bytes, storage))
            .catch((error: unknown) => expect(error).toMatchObject({ id: 'file_space_not_enough' }));
          break;
        case 'delete': {
          const { used } = await app.quota.of(app.database, ann.id);
          const bytes = Math.floor(used / one.part);
          await app.database.transaction((tx) => app.quota.refund(tx, ann.id, bytes, storage));
          break;
        }
        case 'wait':
          clock.advance(one.hours * HOUR);
          await runJob(app, 'update-limits');
          // Limits that a clock computed which was ahead are corrected every hour.
          if (one.hours < 0) await app.database.transaction((tx) => app.quota.correctLimit(tx, ann.id));
          break;
      }
      await expectSound(app, ann.id, paid);
    }
  }

  await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 20, size: 'max' }), live), {
    numRuns: 5,
  });
});
