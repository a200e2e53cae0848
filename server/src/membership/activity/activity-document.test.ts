import { expect, test } from 'vitest';
import { readCatalog } from '../order/index.ts';
import { readPlans } from '../plan/index.ts';
import { readCampaigns } from './activity-document.ts';
import { PLAN_SETTINGS } from '../../../testing/plan-settings.ts';

const PRODUCTS = {
  products: [
    {
      id: 'vip',
      kind: 'plan',
      plan: 'vip',
      terms: [{ id: 'year', months: 12, price: { USD: 4990, KWD: 15_000 } }],
    },
  ],
  bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
};
const plans = readPlans(PRODUCTS, PLAN_SETTINGS);
const read = (entry: object, hasStripe = false) =>
  readCampaigns(
    {
      activities: [
        {
          begins: '2026-12-01T06:00:00+08:00',
          ends: '2026-12-25T00:00:00Z',
          title: 'T',
          lead: 'L',
          text: 'M',
          ...entry,
        },
      ],
    },
    { plans, catalog: readCatalog(PRODUCTS, plans), hasStripe },
  );
const compensation = (more: object) => ({
  name: 'compensation',
  compensation: { affected: 'everyone', gifts: [{ plan: 'vip', days: 7 }], ...more },
});
const christmas = (...gifts: object[]) => ({ name: 'christmas', gifts });
const sale = (more: object) => ({
  name: 'black-friday',
  sale: [{ product: 'vip', term: 'year', price: { USD: 2990, KWD: 9000 }, ...more }],
});

test('a calendar has the days on which its activity runs in UTC, with the gift of each or the one for all', () => {
  const [campaign] = read(
    christmas({ day: '2026-12-24', traffic: '5 GB', days: 2 }, { plan: 'vip', days: 1 }),
  );
  const days = [...campaign!.calendar!];
  expect(days.map(([day]) => day).filter((_, at) => at === 0 || at === days.length - 1)).toEqual([
    '2026-11-30',
    '2026-12-24',
  ]);
  expect(days.at(-1)![1]).toEqual({ kind: 'traffic', plan: undefined, bytes: 5 * 2 ** 30, days: 2 });
  expect(new Set(days.slice(0, -1).map(([, { kind }]) => kind))).toEqual(new Set(['plan']));
  expect([...read(christmas({ day: '2026-12-24', plan: 'vip', days: 2 }))[0]!.calendar!.keys()]).toEqual([
    '2026-12-24',
  ]);
});

test('affected members are found however their address or phone number is written', () => {
  const members = [' Ann@Example.org', '+49 170 123-45 67', '01HZX0000000000000000000AB'];
  const [campaign] = read(compensation({ affected: { members } }));
  expect([...campaign!.compensation!.affected.members!]).toEqual([
    'ann@example.org',
    '+491701234567',
    '01HZX0000000000000000000AB',
  ]);
});

test.each([
  [{ name: 'christmas', gift: [] }, 'activities[0] has an unknown field gift'],
  [{ name: 'christmas', sale: [] }, 'activities[0].sale is not for christmas, which can have gifts'],
  [{ name: 'christmas', id: 'x' }, 'activities[0].id is only for compensations'],
  [
    { ...compensation({}), id: 'a/b' },
    'activities[0].id must be up to 64 letters, digits, hyphens and underscores',
  ],
  [
    { ...compensation({}), id: 'christmas' },
    'activities[0].id must not be the name of another kind of activity',
  ],
  [compensation({ gifts: [] }), 'activities[0].compensation.gifts must have 1 to 10 gifts'],
  [
    compensation({ gifts: [{ days: 7 }] }),
    'activities[0].compensation.gifts[0] must have one of plan, storage and traffic',
  ],
  [
    compensation({ gifts: [{ plan: 'vip', storage: '1 GB', days: 7 }] }),
    'activities[0].compensation.gifts[0] must have one of plan, storage and traffic',
  ],
  [
    compensation({ gifts: [{ plan: 'gold', days: 7 }] }),
    'activities[0].compensation.gifts[0].plan must be one of the plans: vip',
  ],
  [
    compensation({ gifts: [{ storage: 'much', days: 7 }] }),
    'activities[0].compensation.gifts[0].storage must be a size such as 100 GB',
  ],
  [
    compensation({ gifts: [{ plan: 'vip' }] }),
    'activities[0].compensation.gifts[0].days must be a whole number from 1 to 3650',
  ],
  [
    compensation({ affected: undefined }),
    'activities[0].compensation.affected must be "everyone", or an object with some of registered_before, had_plan, members',
  ],
  [
    compensation({ affected: { plan: 'vip' } }),
    'activities[0].compensation.affected has an unknown field plan',
  ],
  [
    compensation({ affected: { registered_before: 'yesterday' } }),
    'activities[0].compensation.affected.registered_before must be a time, for example 2026-12-24T00:00:00Z',
  ],
  [
    compensation({ affected: { had_plan: { since: '2026-12-02', until: '2026-12-01' } } }),
    'activities[0].compensation.affected.had_plan ends before it begins',
  ],
  [
    compensation({ affected: { members: ['ann@example.org', ''] } }),
    'activities[0].compensation.affected.members[1] must be an email address',
  ],
  [christmas(), 'activities[0].gifts must not be empty'],
  [
    christmas({ day: '2026-12-25', plan: 'vip', days: 1 }),
    'activities[0].gifts[0].day must be a day from 2026-11-30 to 2026-12-24',
  ],
  [
    christmas({ plan: 'vip', days: 1 }, { plan: 'vip', days: 2 }),
    'activities[0].gifts has two gifts without a day',
  ],
  [
    { ...christmas({ plan: 'vip', days: 1 }), ends: '2027-12-25' },
    'activities[0].gifts can be given on at most 62 days; this activity has 390',
  ],
  [sale({ product: 'gold' }), 'activities[0].sale[0].product must be one of the products: vip'],
  [sale({ term: 'month' }), 'activities[0].sale[0].term must be one of the terms of vip: year'],
  [
    sale({ price: { USD: 2990 } }),
    'activities[0].sale[0].price must have the same currencies as the first price: USD, KWD',
  ],
  [
    sale({ price: { USD: 4990, KWD: 9000 } }),
    'activities[0].sale[0].price.USD must be less than the regular price, 4990',
  ],
])('an error is explained with its place: %j', (entry, text) => {
  expect(() => read(entry)).toThrow(text);
});

test('a sale price that Stripe can’t charge is an error if members pay with Stripe', () => {
  const odd = sale({ price: { USD: 2990, KWD: 9001 } });
  expect(read(odd)[0]!.sale!.prices.size).toBe(1);
  expect(() => read(odd, true)).toThrow("activities[0].sale[0].price.KWD can't be charged by Stripe");
});

test('two activities with the same id are an error', () => {
  const one = { begins: '2026-12-01', ends: '2026-12-02', title: 'T', lead: 'L', text: 'M' };
  const activities = [
    { ...one, ...compensation({}), id: 'a' },
    { ...one, ...compensation({}), id: 'a' },
  ];
  const known = { plans, catalog: readCatalog(PRODUCTS, plans), hasStripe: false };
  expect(() => readCampaigns({ activities }, known)).toThrow('activities has a twice');
  const apart = activities.map((activity, at) => ({ ...activity, id: `a${at}` }));
  expect(readCampaigns({ activities: apart }, known)).toHaveLength(2);
});
