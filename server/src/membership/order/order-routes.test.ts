import { membershipApi, orderApi, siteApi } from '@bowerbird/contract';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  runJob,
  signIn,
  turnableClock,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { openApp } from '../../app.ts';

const DAY = 24 * 3600 * 1000;
const GB = 2 ** 30;
const START = Date.UTC(2026, 1, 27, 12);
const MONTH = { product: 'vip', term: 'month', currency: 'USD' };
const PACK = { product: 'pack', term: 'week', currency: 'JPY' };

const selling = (price = 499) => ({
  external_products: {
    grace_days: 0,
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 GB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [
          { id: 'month', months: 1, price: { USD: price, JPY: 800 } },
          { id: 'year', months: 12, price: { USD: 4990, JPY: 8000 } },
        ],
      },
      {
        id: 'pack',
        kind: 'storage',
        bytes: '5 GB',
        name: '5 GB',
        terms: [
          { id: 'week', days: 7, price: { USD: 99, JPY: 160 } },
          { id: 'day', days: 1, price: { USD: 9, JPY: 16 } },
          { id: 'fortnight', days: 14, price: { USD: 198, JPY: 320 } },
        ],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02', note: { ja: '備考' } },
  },
});

const order = (member: Member, body = MONTH) => member.call(orderApi.create, { body });
const limitOf = async ({ quota, database }: Pick<TestApp, 'quota' | 'database'>, { id }: Member) =>
  (await quota.of(database, id)).limit / GB;

/** Confirms or refunds an order as the administrator's command does. */
async function settle(
  { orders }: Pick<TestApp, 'orders'>,
  verb: 'confirm' | 'refund' | 'cancel',
  reference: string,
): Promise<boolean> {
  const found = await orders.byReference(reference);
  return (await orders[verb](found!))!.isChanged;
}

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({ dialect, documents: selling(), ...more, environment: { MEMBER_STORAGE: '10 GB' } });

  test('without products nothing is for sale', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    expect(await ann.call(orderApi.products, {})).toMatchObject({
      products: [],
      currencies: [],
      currency: '',
    });
    expect((await ann.call(membershipApi.offers, {})).products).toEqual([]);
    await expect(order(ann)).rejects.toMatchObject({ id: 'not_found' });
    expect(await ann.call(orderApi.list, {})).toEqual({ orders: [] });
  });

  test('anyone sees what is for sale, in their language and currency, but not the bank account', async () => {
    await using app = await open();
    const offered = await app.visitor.call(orderApi.products, {}, { 'accept-language': 'ja' });
    expect(offered).toMatchObject({ currencies: ['USD', 'JPY'], currency: 'JPY', plans: [] });
    expect(offered.products[0]).toMatchObject({
      id: 'vip',
      name: '会員',
      limits: { storage: String(50 * GB), tasks_daily: -1 },
      terms: [
        { id: 'month', months: 1, days: 0, renews: false, prices: { USD: 499, JPY: 800 } },
        { id: 'year' },
      ],
    });
    expect((await app.visitor.call(membershipApi.offers, {})).products).toEqual(['plan', 'storage']);
    const { values } = await app.visitor.call(siteApi.external_products, { body: {} });
    expect(JSON.stringify(values)).not.toContain('DE02');
    await expect(app.visitor.call(orderApi.create, { body: MONTH })).rejects.toMatchObject({
      id: 'unauthenticated',
    });
  });

  test('a confirmed order grants the plan for its term, and a refund ends it', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    const ann = await app.signUp('ann');
    const placed = await order(ann);
    expect(placed).toMatchObject({ state: 'open', name: 'VIP', months: 1, currency: 'USD', amount: 499 });
    expect(placed.reference).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect(await ann.call(orderApi.get, { params: { id: placed.id } })).toEqual({
      order: placed,
      online: false,
      pending: false,
      bank_transfer: { recipient: 'Example Ltd', account: 'DE02', bank: '', bic: '', note: '備考' },
    });
    expect(await limitOf(app, ann)).toBe(10);

    expect(await settle(app, 'confirm', placed.reference)).toBe(true);
    expect(await limitOf(app, ann)).toBe(50);
    const [term] = await app.benefits.list(app.database, ann.id);
    expect(term).toMatchObject({ cause: 'order', reference: placed.id, plan: 'vip', length: 31 * DAY });
    expect((await ann.call(orderApi.list, {})).orders).toMatchObject([{ state: 'paid', ended_time: '' }]);
    expect(await ann.call(orderApi.products, {})).toMatchObject({
      plans: ['vip'],
      held: [{ plan: 'vip', name: 'VIP', expire: expect.stringMatching(/^\d{4}-/) as string }],
    });
    expect((await app.visitor.call(orderApi.products, {})).held).toEqual([]);

    clock.advance(DAY);
    expect(await settle(app, 'refund', placed.reference)).toBe(true);
    expect(await limitOf(app, ann)).toBe(10);
    const again = await signIn(app.http, ann);
    expect((await again.call(orderApi.list, {})).orders).toMatchObject([{ state: 'refunded' }]);
    for (const verb of ['confirm', 'refund', 'cancel'] as const)
      expect(await settle(app, verb, placed.reference)).toBe(false);
    expect(await limitOf(app, ann)).toBe(10);
  });

  test('additional storage that was paid for comes on top of a plan, and days of one plan add up', async () => {
    await using app = await open({ clock: turnableClock(START) });
    const ann = await app.signUp('ann');
    for (const body of [MONTH, { ...MONTH, term: 'year' }, PACK]) {
      const { reference } = await order(ann, body);
      await settle(app, 'confirm', reference);
    }
    expect(await limitOf(app, ann)).toBe(55);
    const [held] = await app.benefits.held(app.database, ann.id);
    expect(held!.endsAt).toBe(START + (31 + 366) * DAY);
  });

  test('an order keeps its price and content when the catalog changes', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const { reference } = await order(ann, PACK);
    const { products, ...others } = selling().external_products;
    const dearer = [{ ...products[0], terms: [{ id: 'month', months: 2, price: { USD: 999 } }] }];
    const documents = join(app.config.DATA_DIR, 'later.json');
    await writeFile(documents, JSON.stringify({ external_products: { ...others, products: dearer } }));
    const later = await openApp({ ...app.config, SITE_DOCUMENTS: documents }, { log: app.log });
    try {
      const kept = { amount: 160, currency: 'JPY', bytes: 5 * GB, length: 7 * DAY };
      expect(await later.orders.byReference(reference)).toMatchObject(kept);
      expect(await settle(later, 'confirm', reference)).toBe(true);
      expect(await limitOf(later, ann)).toBe(15);
      expect(await later.orders.create(ann.id, MONTH)).toMatchObject({ amount: 999, months: 2 });
    } finally {
      await later.close();
    }
  });

  test('an order that is sent again is the same order, and a member can have only a few unpaid ones', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const bob = await app.signUp('bob');
    const same = await Promise.all(Array.from({ length: 10 }, () => order(ann)));
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    await order(ann, { ...MONTH, currency: 'JPY' });
    await order(ann, { ...MONTH, term: 'year' });
    await order(ann, PACK);
    await order(ann, { ...PACK, term: 'day' });
    await expect(order(ann, { ...PACK, term: 'fortnight' })).rejects.toMatchObject({ id: 'order_limit' });
    const canceled = await ann.call(orderApi.cancel, { params: { id: same[0]!.id } });
    expect(canceled.state).toBe('canceled');
    expect(await ann.call(orderApi.cancel, { params: { id: same[0]!.id } })).toEqual(canceled);
    expect((await order(ann, { ...PACK, term: 'fortnight' })).state).toBe('open');
    expect((await order(bob, PACK)).state).toBe('open');
    for (const body of [
      { ...MONTH, product: 'gold' },
      { ...MONTH, term: 'day' },
      { ...MONTH, currency: 'EUR' },
    ])
      await expect(order(bob, body)).rejects.toMatchObject({ id: 'not_found' });
  });

  test('a member learns nothing about the orders of others, and cannot cancel them', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const { id, reference } = await order(ann);
    expect(await bob.call(orderApi.list, {})).toEqual({ orders: [] });
    for (const spec of [orderApi.get, orderApi.cancel])
      await expect(bob.call(spec, { params: { id } })).rejects.toMatchObject({ id: 'not_found' });
    expect((await app.orders.byReference(reference))!.state).toBe('open');
  });

  test('orders that are not paid in time expire, and money that arrives late still pays them', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    const [late, canceled] = [await order(ann), await order(ann, PACK)];
    await ann.call(orderApi.cancel, { params: { id: canceled.id } });
    clock.advance(15 * DAY);
    ann = await signIn(app.http, ann);
    const get = async (id: string) => (await ann.call(orderApi.get, { params: { id } })).order;
    // Before the job runs as well as after it.
    const expired = { state: 'expired', ended_time: late.expire_time };
    expect(await get(late.id)).toMatchObject(expired);
    await runJob(app, 'expire-orders');
    expect(await get(late.id)).toMatchObject(expired);
    expect(await settle(app, 'confirm', late.reference)).toBe(true);
    expect(await settle(app, 'confirm', canceled.reference)).toBe(true);
    expect(await get(late.id)).toMatchObject({ state: 'paid', ended_time: '' });
    expect(await limitOf(app, ann)).toBe(55);
  });

  test('however often and from however many processes a payment and a refund arrive, each counts once', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { reference } = await order(ann, PACK);
      const times = (verb: 'confirm' | 'refund' | 'cancel', word: string) =>
        Array.from({ length: 30 }, (_, n) => settle(n % 2 ? app : other, verb, word));
      expect((await Promise.all(times('confirm', reference))).filter(Boolean)).toHaveLength(1);
      expect(await limitOf(app, ann)).toBe(15);
      expect((await Promise.all(times('refund', reference))).filter(Boolean)).toHaveLength(1);
      expect(await limitOf(app, ann)).toBe(10);

      // In any order: a canceled order is paid in the end, a refunded one stays refunded.
      const mixed = await order(bob, PACK);
      await Promise.all([...times('cancel', mixed.reference), ...times('confirm', mixed.reference)]);
      expect(await limitOf(app, bob)).toBe(15);
      await Promise.all([...times('confirm', mixed.reference), ...times('refund', mixed.reference)]);
      expect(await limitOf(app, bob)).toBe(10);
      expect(await app.benefits.list(app.database, bob.id)).toHaveLength(1);
      expect(await app.quota.compareLimit(app.database, bob.id)).toMatchObject({
        recorded: 10 * GB,
        ledger: 10 * GB,
      });
    } finally {
      await other.close();
    }
  });
});
