import { activityApi, ledgerApi, membershipApi, orderApi, siteApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApp, type App } from '../../app.ts';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  person,
  signIn,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const GB = 2 ** 30;
const NOW = Date.UTC(2026, 11, 24, 12);
const time = (days: number): string => new Date(NOW + days * DAY).toISOString();

const TEXTS = { title: { 'en-US': 'Sorry', ja: 'お詫び' }, lead: 'For the outage', text: '# What' };
const OUTAGE = {
  ...TEXTS,
  name: 'compensation',
  id: 'aliyun_accident_202409',
  begins: time(-1),
  ends: time(3),
  compensation: {
    affected: 'everyone',
    gifts: [
      { plan: 'vip', days: 7 },
      { storage: '5 GB', days: 30 },
    ],
  } as object,
};
const CHRISTMAS = {
  ...TEXTS,
  name: 'christmas',
  begins: '2026-12-23T06:00:00Z',
  ends: '2026-12-27T00:00:00Z',
  gifts: [
    { plan: 'vip', days: 1 },
    { day: '2026-12-25', storage: '1 GB', days: 90 },
  ],
};
const SALE = {
  ...TEXTS,
  name: 'black-friday',
  begins: time(-1),
  ends: time(1),
  sale: [{ product: 'vip', term: 'year', price: { USD: 2990, JPY: 4800 } }],
};
const PRODUCTS = {
  grace_days: 0,
  plans: [
    { id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 GB' },
    { id: 'team', storage: '60 GB' },
  ],
  products: [
    {
      id: 'vip',
      kind: 'plan',
      plan: 'vip',
      terms: [
        { id: 'month', months: 1, price: { USD: 499, JPY: 800 } },
        { id: 'year', months: 12, price: { USD: 4990, JPY: 8000 } },
      ],
    },
  ],
  bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
};
const documents = (...activities: object[]) => ({
  external_products: PRODUCTS,
  activity_operation: { activities },
});

const claim = (member: Pick<Member, 'call'>, body: { id?: string; type?: string } = {}) =>
  member.call(activityApi.compensate, { body });
const openGift = (member: Pick<Member, 'call'>) => member.call(activityApi.openGift, { body: {} });
const see = async (member: Pick<Member, 'call'>, id: string = OUTAGE.id) =>
  member.call(activityApi.get, { params: { id } });
const grantsOf = async (app: TestApp, { id }: Member) =>
  (await app.benefits.list(app.database, id)).map(({ cause, reference, kind }) => [cause, reference, kind]);
const limitOf = async (app: TestApp, { id }: Member): Promise<number> =>
  (await app.quota.of(app.database, id)).limit / GB;

/** Calls of a member to two servers at once. */
const fromBoth = <T>(
  app: TestApp,
  other: App,
  member: Member,
  call: (by: Pick<Member, 'call'>) => Promise<T>,
) =>
  Promise.all(
    Array.from({ length: 30 }, (_, n) => call(n % 2 ? member : person(other.http, member.headers))),
  );

eachDatabase((dialect) => {
  const open = (activities: object[], more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({
      dialect,
      clock: turnableClock(NOW),
      documents: documents(...activities),
      ...more,
      environment: { MEMBER_STORAGE: '10 GB' },
    });

  test('a compensation is granted whole and once, from any number of requests to two servers', async () => {
    const clock = turnableClock(NOW);
    await using app = await open([OUTAGE], { clock });
    const other = await openApp(app.config, { log: app.log, clock });
    try {
      const ann = await app.signUp('ann');
      const before = await see(ann);
      expect(before.compensation).toMatchObject({ affected: true, claimed_time: '' });
      const replies = await fromBoth(app, other, ann, (by) => claim(by, { type: OUTAGE.id }));
      expect(replies.filter(({ updated }) => updated)).toHaveLength(1);
      for (const reply of replies)
        expect(reply).toEqual({
          result: 'ACCEPTED',
          message: '',
          redirect_uri: '',
          updated: reply.updated,
          add_days: 30,
          claimed_time: '2026-12-24T12:00:00.000+00:00',
          data: {
            gifts: [
              { kind: 'plan', name: 'VIP', bytes: '0', days: 7 },
              { kind: 'storage', name: '', bytes: String(5 * GB), days: 30 },
            ],
          },
        });
      expect(await grantsOf(app, ann)).toEqual([
        ['compensation', OUTAGE.id, 'plan'],
        ['compensation', `${OUTAGE.id}+1`, 'storage'],
      ]);
      expect(await limitOf(app, ann)).toBe(55);
      expect((await see(ann)).compensation).toMatchObject({ claimed_time: replies[0]!.claimed_time });
      const { entries } = await ann.call(ledgerApi.entries, { query: { cause: 'compensation' } });
      expect(entries).toMatchObject([{ amount: String(5 * GB) }]);
      // The end, and a clock that is set back before the beginning, change nothing about it.
      clock.advance(-5 * DAY);
      expect(await claim(ann)).toMatchObject({ updated: false });
      clock.advance(20 * DAY);
      expect(await claim(await signIn(app.http, ann))).toMatchObject({ updated: false });
    } finally {
      await other.close();
    }
  });

  test('a claim that fails grants nothing, and can be repeated', async () => {
    await using app = await open([OUTAGE, CHRISTMAS]);
    const ann = await app.signUp('ann');
    const rename = (from: string, to: string) =>
      app.database.transaction((tx) => sql.raw(`alter table ${from} rename to ${to}`).execute(tx.on()));
    // The limit is written after the benefit.
    await rename('ledger', 'ledger_away');
    await expect(claim(ann)).rejects.toMatchObject({ status: 500 });
    await expect(openGift(ann)).rejects.toMatchObject({ status: 500 });
    await rename('ledger_away', 'ledger');
    expect(await grantsOf(app, ann)).toEqual([]);
    expect(await claim(ann)).toMatchObject({ updated: true });
    expect(await openGift(ann)).toMatchObject({ updated: true });
  });

  test('only affected members can claim, and only while the activity runs', async () => {
    const clock = turnableClock(NOW - 10 * DAY);
    const conditions = {
      registered_before: time(-5),
      had_plan: { plan: 'vip', since: time(-8), until: time(-6) },
      members: [' Ann@Example.org ', 'bob@example.org', 'cyd@example.org', 'eve@example.org'],
    };
    const outage = { ...OUTAGE, compensation: { ...OUTAGE.compensation, affected: conditions } };
    await using app = await open([outage], { clock });
    const people = await Promise.all(['ann', 'bob', 'cyd', 'dan'].map((name) => app.signUp(name)));
    const [ann, bob, cyd, dan] = people as [Member, Member, Member, Member];
    await grantBenefit(app, ann, { plan: 'vip', days: 3 });
    await grantBenefit(app, bob, { plan: 'vip', days: 1 });
    await grantBenefit(app, cyd, { plan: 'team', days: 30 });
    await grantBenefit(app, dan, { plan: 'vip', days: 30 });
    clock.advance(6 * DAY);
    const eve = await app.signUp('eve');
    await grantBenefit(app, eve, { plan: 'vip', days: 30 });
    await expect(claim(eve)).rejects.toMatchObject({ id: 'activity_not_running' });
    clock.advance(4 * DAY);
    const [ann2, ...others] = await Promise.all(
      [ann, bob, cyd, dan, eve].map((member) => signIn(app.http, member)),
    );
    expect((await see(ann2!)).compensation).toMatchObject({ affected: true });
    for (const member of others) {
      expect((await see(member)).compensation).toMatchObject({ affected: false });
      await expect(claim(member)).rejects.toMatchObject({ id: 'compensation_not_affected', status: 403 });
      expect((await app.benefits.list(app.database, member.id)).map(({ cause }) => cause)).not.toContain(
        'compensation',
      );
    }
    expect((await see(app.visitor)).compensation).toMatchObject({ affected: false, claimed_time: '' });
    await expect(claim(app.visitor)).rejects.toMatchObject({ id: 'unauthenticated' });
    clock.advance(3 * DAY);
    await expect(claim(await signIn(app.http, ann2!))).rejects.toMatchObject({ id: 'activity_not_running' });
    await expect(claim(await signIn(app.http, ann2!), { id: 'other' })).rejects.toMatchObject({
      id: 'not_found',
    });
  });

  test('without an id, a claim means the only compensation that is running', async () => {
    const past = { ...OUTAGE, id: 'past', begins: time(-9), ends: time(-8) };
    const also = { ...OUTAGE, id: 'also' };
    await using app = await open([past, OUTAGE]);
    const ann = await app.signUp('ann');
    expect(await claim(ann)).toMatchObject({ updated: true });
    await using both = await open([also, OUTAGE]);
    const bob = await both.signUp('bob');
    await expect(claim(bob)).rejects.toMatchObject({ id: 'not_found' });
    expect(await claim(bob, { id: 'also' })).toMatchObject({ updated: true });
    expect(await claim(bob, { id: OUTAGE.id })).toMatchObject({ updated: true });
  });

  test('each day’s gift can be opened once, on its day, and a clock that is set back gives nothing twice', async () => {
    const clock = turnableClock(NOW);
    await using app = await open([CHRISTMAS], { clock });
    const other = await openApp(app.config, { log: app.log, clock });
    try {
      let ann = await app.signUp('ann');
      const turn = async (days: number): Promise<void> => {
        clock.advance(days * DAY);
        ann = await signIn(app.http, ann);
      };
      const states = async (by: Pick<Member, 'call'> = ann) => {
        const { calendar } = await see(by, 'christmas');
        return calendar!.days.map(({ state, gift }) => (gift ? `${state} ${gift.kind}` : state));
      };
      expect(await states(app.visitor)).toEqual(['past', 'open', 'coming', 'coming']);
      const replies = await fromBoth(app, other, ann, openGift);
      expect(replies.filter(({ updated }) => updated)).toHaveLength(1);
      expect(replies[0]).toMatchObject({ add_days: 1, data: { gifts: [{ kind: 'plan', name: 'VIP' }] } });
      expect(await states()).toEqual(['past', 'opened plan', 'coming', 'coming']);
      expect((await see(ann, 'christmas')).calendar).toMatchObject({
        today: '2026-12-24',
        next_time: '2026-12-25T00:00:00.000+00:00',
      });
      await turn(1);
      expect(await openGift(ann)).toMatchObject({ updated: true, data: { gifts: [{ kind: 'storage' }] } });
      await turn(-1);
      expect(await openGift(ann)).toMatchObject({ updated: false, data: { gifts: [{ kind: 'plan' }] } });
      await turn(1);
      expect(await openGift(ann)).toMatchObject({ updated: false });
      expect(await grantsOf(app, ann)).toEqual([
        ['activity', 'christmas/2026-12-24', 'plan'],
        ['activity', 'christmas/2026-12-25', 'storage'],
      ]);
      await turn(2);
      await expect(openGift(ann)).rejects.toMatchObject({ id: 'activity_not_running' });
      expect(await states()).toEqual(['past', 'opened plan', 'opened storage', 'past']);
      // Before the activity begins, on its first day.
      await turn(-4);
      clock.advance(-11 * 3600 * 1000);
      ann = await signIn(app.http, ann);
      await expect(openGift(ann)).rejects.toMatchObject({ id: 'activity_not_running' });
    } finally {
      await other.close();
    }
  });

  test('sale prices apply from begin to end, and an order keeps the price of its time', async () => {
    const clock = turnableClock(NOW);
    await using app = await open([SALE], { clock });
    let ann = await app.signUp('ann');
    const yearOf = async () => (await app.visitor.call(orderApi.products, {})).products[0]!.terms[1]!;
    const order = () =>
      ann.call(orderApi.create, { body: { product: 'vip', term: 'year', currency: 'USD' } });
    expect(await yearOf()).toMatchObject({
      prices: { USD: 2990, JPY: 4800 },
      regular_prices: { USD: 4990, JPY: 8000 },
      sale_end_time: '2026-12-25T12:00:00.000+00:00',
    });
    const [month] = (await app.visitor.call(orderApi.products, {})).products[0]!.terms;
    expect(month).toMatchObject({ prices: { USD: 499, JPY: 800 }, regular_prices: {}, sale_end_time: '' });
    const cheap = await order();
    expect(cheap.amount).toBe(2990);
    clock.advance(DAY - 1);
    ann = await signIn(app.http, ann);
    expect((await order()).id).toBe(cheap.id);
    clock.advance(1);
    expect(await yearOf()).toMatchObject({ prices: { USD: 4990 }, regular_prices: {}, sale_end_time: '' });
    const regular = await order();
    expect([regular.amount, regular.id === cheap.id]).toEqual([4990, false]);
    clock.advance(12 * DAY);
    await app.orders.confirm((await app.orders.byReference(cheap.reference))!);
    ann = await signIn(app.http, ann);
    const { order: paid } = await ann.call(orderApi.get, { params: { id: cheap.id } });
    expect(paid).toMatchObject({ state: 'paid', amount: 2990 });
    expect((await ann.call(membershipApi.vip, {})).data.status).toBe('ok');
  });
});

test('what activities give, and to whom, is not part of the documents that anyone can read', async () => {
  const secret = {
    ...OUTAGE,
    compensation: { ...OUTAGE.compensation, affected: { members: ['ann@example.org'] } },
  };
  await using app = await openTestApp({
    clock: turnableClock(NOW),
    documents: documents(secret, CHRISTMAS, SALE),
  });
  const { values } = await app.visitor.call(siteApi.activity_operation, { body: {} });
  expect(values).toEqual({
    activities: [
      { ...TEXTS, name: 'compensation', id: OUTAGE.id, begins: OUTAGE.begins, ends: OUTAGE.ends },
      { ...TEXTS, name: 'christmas', begins: CHRISTMAS.begins, ends: CHRISTMAS.ends },
      { ...TEXTS, name: 'black-friday', begins: SALE.begins, ends: SALE.ends },
    ],
  });
});

test('the activities are listed with their texts and states, and those that run are a page for apps', async () => {
  const clock = turnableClock(NOW);
  const plain = { ...TEXTS, name: 'black-friday', begins: time(-1), ends: time(1) };
  await using app = await openTestApp({ clock, documents: documents(plain, CHRISTMAS, OUTAGE) });
  const { activities } = await app.visitor.call(activityApi.list, {}, { 'accept-language': 'ja' });
  expect(activities.map(({ id, type, state, path }) => [id, type, state, path])).toEqual([
    ['black-friday', 'text', 'running', '/activity/black-friday'],
    ['christmas', 'daily_gift', 'running', '/activity/christmas'],
    [OUTAGE.id, 'compensation', 'running', `/activity/compensation?id=${OUTAGE.id}`],
  ]);
  expect(activities[2]).toMatchObject({ title: 'お詫び', begin_time: '2026-12-23T12:00:00.000+00:00' });
  const ann = await app.signUp('ann');
  const page = (limit?: number) =>
    ann.call(activityApi.page, { query: limit === undefined ? {} : { limit } });
  expect((await page()).data.map(({ name }) => name)).toEqual(['christmas', 'compensation', 'black-friday']);
  expect(await page(1)).toMatchObject({ data: [{ name: 'christmas' }], has_more: true });
  clock.advance(DAY);
  const { data } = await (await signIn(app.http, ann)).call(activityApi.page, { query: {} });
  expect(data.map(({ name }) => name)).toEqual(['christmas', 'compensation']);
  await expect(see(ann, 'easter')).rejects.toMatchObject({ id: 'not_found' });
});

test('without what they give, activities are pages to read', async () => {
  const plain = { ...TEXTS, name: 'christmas', begins: time(-1), ends: time(1) };
  await using app = await openTestApp({
    clock: turnableClock(NOW),
    documents: { activity_operation: { activities: [plain] } },
  });
  const ann = await app.signUp('ann');
  expect(await see(ann, 'christmas')).toMatchObject({
    activity: { type: 'text', state: 'running' },
    text: '# What',
    action: null,
    compensation: null,
    calendar: null,
  });
  await expect(openGift(ann)).rejects.toMatchObject({ id: 'not_found' });
  await expect(claim(ann)).rejects.toMatchObject({ id: 'not_found' });
  await using none = await openTestApp();
  expect(await none.visitor.call(activityApi.list, {})).toEqual({ activities: [] });
});
