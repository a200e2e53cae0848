import { orderApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  stripeObjects,
  stripeServer,
  stripeSignature,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';
import { openApp } from '../../app.ts';
import { readPlans } from '../plan/index.ts';
import { readCatalog } from './product.ts';
import { fromStripe, toStripe } from './stripe-amount.ts';
import { PLAN_SETTINGS } from '../../../testing/plan-settings.ts';

const GB = 2 ** 30;
const { session: sessionOf, charge: chargeOf } = stripeObjects;
const DOCUMENTS = {
  external_products: {
    grace_days: 0,
    products: [
      {
        id: 'pack',
        kind: 'storage',
        bytes: '5 GB',
        name: { 'en-US': 'More space', ja: '追加容量' },
        terms: [{ id: 'month', months: 1, price: { USD: 99, JPY: 160, ISK: 150 } }],
      },
    ],
  },
};
type Stripe = Awaited<ReturnType<typeof stripeServer>>;
type Event = ReturnType<Stripe['event']>;

const order = (member: Member, currency = 'USD') =>
  member.call(orderApi.create, { body: { product: 'pack', term: 'month', currency } });
const get = (member: Member, id: string) => member.call(orderApi.get, { params: { id } });
const pay = (member: Member, id: string, body: { prefix?: 'ja' } = {}, headers = {}) =>
  member.call(orderApi.pay, { params: { id }, body }, headers);
const deliver = async ({ http }: Pick<TestApp, 'http'>, { body, headers }: Pick<Event, 'body' | 'headers'>) =>
  (await http.inject({ method: 'POST', url: '/vip/v1/stripe/webhook', payload: body, headers })).statusCode;
const limitOf = async ({ quota, database }: Pick<TestApp, 'quota' | 'database'>, { id }: Member) =>
  (await quota.of(database, id)).limit / GB;

eachDatabase((dialect) => {
  const open = (stripe: Stripe, documents: object = DOCUMENTS) =>
    openTestApp({ dialect, documents, environment: { MEMBER_STORAGE: '10 GB', ...stripe.environment } });

  /** An installation with a member whose order has a payment page. */
  async function ordered() {
    const stripe = await stripeServer();
    const app = await open(stripe);
    const ann = await app.signUp('ann');
    const { id } = await order(ann);
    await pay(ann, id);
    const [session] = stripe.sessions;
    return {
      stripe,
      app,
      ann,
      id,
      session: session!,
      state: async () => {
        const { order, pending } = await get(ann, id);
        return { state: order.state, pending, limit: await limitOf(app, ann) };
      },
      send: (type: string, object: object) => deliver(app, stripe.event(type, object)),
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]();
        await stripe[Symbol.asyncDispose]();
      },
    };
  }

  test('an order is paid on a page of Stripe, in the member’s language, and the order’s price', async () => {
    await using stripe = await stripeServer();
    await using app = await open(stripe);
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const { id, reference } = await order(ann);
    expect(await get(ann, id)).toMatchObject({ bank_transfer: null, online: true, pending: false });
    const { url } = await pay(ann, id, { prefix: 'ja' }, { 'accept-language': 'ja' });
    expect(url).toBe(stripe.sessions[0]!.url);
    expect(Object.fromEntries(stripe.sessions[0]!.form)).toEqual({
      mode: 'payment',
      client_reference_id: id,
      'metadata[order]': id,
      'metadata[reference]': reference,
      'payment_intent_data[metadata][order]': id,
      'payment_intent_data[metadata][reference]': reference,
      'payment_intent_data[description]': reference,
      locale: 'ja',
      success_url: `http://drive.test/ja/drive/payment/orders/${id}?checkout=done`,
      cancel_url: `http://drive.test/ja/drive/payment/orders/${id}`,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '99',
      'line_items[0][price_data][product_data][name]': '追加容量 · 1 か月',
    });
    // The page stays the same, from another tab, device or language too: nobody can pay twice.
    const again = await Promise.all([pay(ann, id), pay(ann, id, { prefix: 'ja' }), pay(ann, id)]);
    expect(new Set(again.map((one) => one.url))).toEqual(new Set([url]));
    expect(stripe.sessions).toHaveLength(1);
    await expect(pay(bob, id)).rejects.toMatchObject({ id: 'not_found' });

    await pay(ann, (await order(ann, 'ISK')).id);
    expect(stripe.sessions[1]!.form.get('line_items[0][price_data][unit_amount]')).toBe('15000');
  });

  test('requests that open the page at once get the same page', async () => {
    await using stripe = await stripeServer();
    await using app = await open(stripe);
    const ann = await app.signUp('ann');
    const { id } = await order(ann);
    const urls = await Promise.all(
      Array.from({ length: 10 }, (_, n) => pay(ann, id, n % 2 ? { prefix: 'ja' } : {})),
    );
    expect(new Set(urls.map(({ url }) => url)).size).toBe(1);
    expect(stripe.sessions.filter(({ status }) => status === 'open').map(({ url }) => url)).toEqual([
      urls[0]!.url,
    ]);
  });

  test('an event that Stripe signed pays the order once, however often and from wherever it arrives', async () => {
    await using it = await ordered();
    const other = await openApp(it.app.config, { log: it.app.log });
    try {
      const event = it.stripe.event('checkout.session.completed', sessionOf(it.session));
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, n) => deliver(n % 2 ? it.app : other, event)),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(await it.state()).toEqual({ state: 'paid', pending: false, limit: 15 });
      expect(await it.app.benefits.list(it.app.database, it.ann.id)).toHaveLength(1);
      expect(await it.app.quota.compareLimit(it.app.database, it.ann.id)).toMatchObject({
        recorded: 15 * GB,
        ledger: 15 * GB,
      });
      // The same payment in another event.
      expect(await it.send('checkout.session.async_payment_succeeded', sessionOf(it.session))).toBe(200);
      expect(await it.app.benefits.list(it.app.database, it.ann.id)).toHaveLength(1);
      expect(it.app.logged.join('')).not.toContain('paid twice');
      await expect(pay(it.ann, it.id)).rejects.toMatchObject({ id: 'order_not_open' });
    } finally {
      await other.close();
    }
  });

  test('nothing happens without a fresh signature of the very bytes', async () => {
    await using it = await ordered();
    const { body, headers } = it.stripe.event('checkout.session.completed', sessionOf(it.session));
    const now = Math.floor(Date.now() / 1000);
    const signed = (signature: string, sent = body) =>
      deliver(it.app, { body: sent, headers: { ...headers, 'stripe-signature': signature } });
    for (const status of [
      await signed(''),
      await signed('t=1,v1=0'),
      await signed(stripeSignature(body, now, 'whsec_other')),
      await signed(stripeSignature(body, now - 400)),
      await signed(stripeSignature(body, now), `${body} `),
      await signed(stripeSignature('', now), ''),
      await signed(stripeSignature('[', now), '['),
    ])
      expect(status).toBe(400);
    expect(await it.state()).toMatchObject({ state: 'open', limit: 10 });
    expect(await signed(stripeSignature(body, now - 200))).toBe(200);
    expect(await it.state()).toMatchObject({ state: 'paid', limit: 15 });
  });

  test('a late payment is pending until its outcome is known', async () => {
    await using it = await ordered();
    const unpaid = sessionOf(it.session, { payment_status: 'unpaid' });
    await it.send('checkout.session.completed', unpaid);
    expect(await it.state()).toEqual({ state: 'open', pending: true, limit: 10 });
    await expect(pay(it.ann, it.id)).rejects.toMatchObject({ id: 'order_not_open' });
    await it.send('checkout.session.async_payment_failed', unpaid);
    expect(await it.state()).toEqual({ state: 'open', pending: false, limit: 10 });
    // Another attempt, on a new page.
    await pay(it.ann, it.id);
    const second = it.stripe.sessions[1]!;
    await it.send('checkout.session.async_payment_succeeded', sessionOf(second));
    await it.send('checkout.session.completed', sessionOf(second, { payment_status: 'unpaid' }));
    expect(await it.state()).toEqual({ state: 'paid', pending: false, limit: 15 });
  });

  test('events about a payment and its refund may arrive in any order, with the same result', async () => {
    const events = (session: Parameters<typeof sessionOf>[0]) =>
      [
        ['checkout.session.completed', sessionOf(session)],
        ['charge.refunded', chargeOf(session)],
        ['checkout.session.expired', sessionOf(session)],
      ] as const;
    for (const turns of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
    ]) {
      await using it = await ordered();
      for (const turn of turns) {
        const [type, object] = events(it.session)[turn]!;
        expect(await it.send(type, object)).toBe(200);
      }
      expect(await it.state()).toEqual({ state: 'refunded', pending: false, limit: 10 });
      expect(await it.app.benefits.list(it.app.database, it.ann.id)).toHaveLength(1);
    }
  });

  test('what does not fit an order changes nothing, is logged, and is not sent again', async () => {
    await using it = await ordered();
    const { session } = it;
    for (const [type, object] of [
      ['checkout.session.completed', sessionOf(session, { amount_total: 98 })],
      ['checkout.session.completed', sessionOf(session, { currency: 'eur' })],
      ['checkout.session.completed', sessionOf(session, { metadata: { order: 'other' } })],
      ['checkout.session.completed', sessionOf(session, { metadata: null })],
      ['charge.refunded', chargeOf(session, { metadata: {} })],
      ['charge.refunded', chargeOf(session, { refunded: false, amount_refunded: 10 })],
      ['customer.created', { id: 'cus_1' }],
    ] as const)
      expect(await it.send(type, object)).toBe(200);
    expect(await it.state()).toEqual({ state: 'open', pending: false, limit: 10 });
    const logged = it.app.logged.join('');
    expect(logged).toContain('a payment differs from the price of its order');
    expect(logged).toContain('a payment arrived for an order that does not exist');
    expect(logged).toContain('was refunded in part');
  });

  test('money for a canceled order still pays it; money for a paid one is reported, and its refund ends nothing', async () => {
    await using it = await ordered();
    await it.ann.call(orderApi.cancel, { params: { id: it.id } });
    expect(it.session.status).toBe('expired');
    await it.send('checkout.session.completed', sessionOf(it.session));
    expect(await it.state()).toMatchObject({ state: 'paid', limit: 15 });
    const twice = { payment_intent: 'pi_second' };
    await it.send('checkout.session.completed', sessionOf(it.session, twice));
    expect(it.app.logged.join('')).toContain('an order was paid twice');
    await it.send('charge.refunded', chargeOf(it.session, twice));
    expect(await it.state()).toMatchObject({ state: 'paid', limit: 15 });
    await it.send('charge.refunded', chargeOf(it.session));
    expect(await it.state()).toMatchObject({ state: 'refunded', limit: 10 });
  });

  test('an erased member’s payments are gone, and late events about them change nothing', async () => {
    await using it = await ordered();
    await it.send('checkout.session.completed', sessionOf(it.session));
    const { accounts, closings, erasing, database } = it.app;
    await closings.order((await accounts.find(database, it.ann.id))!, 'now');
    await erasing.erase(it.ann.id, new AbortController().signal);
    expect(await it.app.payments.ofAccount(it.ann.id)).toEqual([]);
    expect(await it.send('charge.refunded', chargeOf(it.session))).toBe(200);
    expect(await it.send('checkout.session.async_payment_succeeded', sessionOf(it.session))).toBe(200);
    expect(await it.app.payments.ofAccount(it.ann.id)).toEqual([]);
  });

  test('while Stripe fails, members are asked to try again, and its answer is only in the log', async () => {
    await using stripe = await stripeServer();
    await using app = await open(stripe);
    const ann = await app.signUp('ann');
    const { id } = await order(ann);
    stripe.break();
    await expect(pay(ann, id)).rejects.toMatchObject({ id: 'unavailable' });
    expect((await ann.call(orderApi.cancel, { params: { id } })).state).toBe('canceled');
    expect(app.logged.join('')).toContain('could not open a payment page');
    expect(app.logged.join('')).not.toContain('sk_test_key');
  });
});

test('without its keys, or without products, there is no payment with Stripe', async () => {
  await using stripe = await stripeServer();
  const bank = { bank_transfer: { recipient: 'Example Ltd', account: 'DE02' } };
  const documents = { external_products: { ...DOCUMENTS.external_products, ...bank } };
  for (const options of [{ documents }, { environment: stripe.environment }]) {
    await using app = await openTestApp(options);
    const event = stripe.event('checkout.session.completed', {});
    expect(await deliver(app, event)).toBe(404);
    if (!('documents' in options)) continue;
    const ann = await app.signUp('ann');
    const { id } = await order(ann);
    expect(await get(ann, id)).toMatchObject({ online: false, bank_transfer: { account: 'DE02' } });
    await expect(pay(ann, id)).rejects.toMatchObject({ id: 'not_found' });
  }
  await expect(openTestApp({ environment: { STRIPE_SECRET_KEY: 'sk_test_key' } })).rejects.toThrow(
    'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together',
  );
});

test('amounts are converted to the unit of Stripe and back, and those that it can’t charge are an error at the start', () => {
  for (const [currency, amount, there] of [
    ['USD', 499, 499],
    ['JPY', 800, 800],
    ['ISK', 150, 15_000],
    ['UGX', 500, 50_000],
    ['MGA', 500, 500],
    ['IDR', 15_000, 1_500_000],
    ['KWD', 1010, 1010],
  ] as const) {
    expect(toStripe(currency, amount)).toBe(there);
    expect(fromStripe(currency, there)).toBe(amount);
  }
  expect(toStripe('KWD', 1001)).toBeUndefined();
  expect(fromStripe('ISK', 15_001)).toBe(-1);
  const plans = readPlans({}, PLAN_SETTINGS);
  const product = { id: 'vip', kind: 'plan', plan: 'vip' };
  const kuwait = { products: [{ ...product, terms: [{ id: 'day', days: 1, price: { KWD: 1001 } }] }] };
  expect(() => readCatalog(kuwait, plans, true)).toThrow(
    "products[0].terms[0].price.KWD can't be charged by Stripe",
  );
  expect(() => readCatalog(kuwait, plans)).toThrow('can only be paid for');
});
