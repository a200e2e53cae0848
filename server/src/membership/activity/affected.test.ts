import { expect, test } from 'vitest';
import type { Term } from '../plan/index.ts';
import { isAffected, type Affected } from './activity.ts';

const BEGINS = 100;
const ann = { id: 'a1', email: 'Ann@Example.org', phone: '+15005550006', createdAt: 10 };
const vip: Term = {
  id: 'b1',
  account: 'a1',
  kind: 'plan',
  plan: 'vip',
  bytes: 0,
  length: 20,
  cause: 'order',
  reference: 'o1',
  grantedAt: 20,
  revokedAt: undefined,
  startsAt: 20,
  endsAt: 40,
};
const everyone: Affected = { registeredBefore: undefined, hadPlan: undefined, members: undefined };
const affects = (conditions: Partial<Affected>, member = ann, benefits: readonly Term[] = [vip]) =>
  isAffected({ ...everyone, ...conditions }, member, benefits, BEGINS);
const had = (since: number, until: number, plan?: string) => ({ hadPlan: { plan, since, until } });

test('everyone is affected without conditions', () => {
  expect(affects({}, { ...ann, createdAt: 1000 }, [])).toBe(true);
});

test('whoever registered at that time or later is not affected', () => {
  expect([affects({ registeredBefore: 11 }), affects({ registeredBefore: 10 })]).toEqual([true, false]);
});

test('a plan counts if it was in force in the period, also for a moment, until it was revoked', () => {
  expect([affects(had(0, 21)), affects(had(39, 90)), affects(had(25, 30, 'vip'))]).toEqual([
    true,
    true,
    true,
  ]);
  expect([affects(had(0, 20)), affects(had(40, 90)), affects(had(25, 30, 'team'))]).toEqual([
    false,
    false,
    false,
  ]);
  expect(affects(had(0, 90), ann, [{ ...vip, revokedAt: 20, endsAt: 20 }])).toBe(false);
  expect(affects(had(0, 90), ann, [{ ...vip, kind: 'storage', plan: '', bytes: 1 }])).toBe(false);
  expect(affects(had(80, 90), ann, [{ ...vip, endsAt: undefined }])).toBe(true);
});

test('members are found by id, address or phone number, in accounts from before the activity', () => {
  for (const name of ['a1', 'ann@example.org', '+15005550006'])
    expect(affects({ members: new Set([name]) })).toBe(true);
  expect(affects({ members: new Set(['bob@example.org']) })).toBe(false);
  expect(affects({ members: new Set(['']) }, { ...ann, email: '' })).toBe(false);
  expect(affects({ members: new Set(['ann@example.org']) }, { ...ann, createdAt: BEGINS })).toBe(false);
});

test('all conditions have to be met', () => {
  const both = { registeredBefore: 11, members: new Set(['a1']) };
  expect(affects(both)).toBe(true);
  expect(affects({ ...both, members: new Set(['b1']) })).toBe(false);
  expect(affects({ ...both, registeredBefore: 5 })).toBe(false);
});
