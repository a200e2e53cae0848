import { orderApi, renewalApi } from '@bowerbird/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachDatabase, renewingApp, runJob, stripeObjects } from '../../../testing/index.ts';
import { openApp } from '../../app.ts';
import { timeText } from '../../foundation/index.ts';
import { numbers } from '../../../testing/random-numbers.ts';

const GB = 2 ** 30;
const DAY = 24 * 3600 * 1000;
const { billing } = stripeObjects;

eachDatabase((dialect) => {
  let it: Awaited<ReturnType<typeof renewingApp>>;
  beforeAll(async () => {
    it = await renewingApp(dialect);
  });
  afterAll(() => it[Symbol.asyncDispose]());

  test('a member chooses renewal, sees the next charge, and each further term is an order of its own', async () => {
    const ann = await it.newMember();
    const once = await it.order(ann, false);
    expect(once.renews).toBe(false);
    await expect(it.order(ann, true, 'week')).rejects.toMatchObject({ id: 'not_found' });
    const { id, session, subscription } = await it.paid(ann);
    expect(await ann.call(orderApi.get, { params: { id } })).toMatchObject({
      bank_transfer: null,
      online: true,
    });
    const { reference } = (await it.ordersOf(ann)).find((one) => one.id === id)!;
    expect(Object.fromEntries(session.form)).toMatchObject({
      mode: 'subscription',
      client_reference_id: id,
      'subscription_data[metadata][order]': id,
      'subscription_data[description]': reference,
      'line_items[0][price_data][unit_amount]': '499',
      'line_items[0][price_data][recurring][interval]': 'month',
      'line_items[0][price_data][recurring][interval_count]': '1',
    });
    expect(await it.renewals(ann)).toEqual([]);
    expect(await it.deliver(it.completed(session))).toBe(200);
    expect((await ann.call(renewalApi.list, {})).renewals).toEqual([
      expect.objectContaining({
        state: 'active',
        ...{ name: 'VIP', plan: 'vip', months: 1, currency: 'USD', amount: 499 },
        next_charge_time: timeText(subscription.periodEnd * 1000),
        paid_until_time: timeText(it.clock.now() + 31 * DAY),
      }),
    ]);
    expect(await it.limitOf(ann)).toBe(100);
    expect(await it.planOf(ann)).toBe(it.clock.now() + 31 * DAY);

    it.stripe.billing.charge(subscription, 'paid');
    await it.deliver(it.invoicePaid(subscription));
    const orders = (await it.ordersOf(ann)).filter(({ renews }) => renews);
    expect(orders.map(({ state, amount, months }) => ({ state, amount, months }))).toEqual([
      { state: 'paid', amount: 499, months: 1 },
      { state: 'paid', amount: 499, months: 1 },
    ]);
    expect(new Set(orders.map((one) => one.reference)).size).toBe(2);
    // Each has its invoice.
    const invoices = await it.app.invoices.ofAccount(ann.id);
    expect(invoices.map(({ reference, content }) => [reference, content.paidBy])).toEqual(
      orders.toReversed().map(({ reference }) => [reference, 'online']),
    );
    const [first, second] = await it.benefitsOf(ann);
    expect([first!.length, second!.length]).toEqual([31 * DAY, 31 * DAY]);
    expect(second!.startsAt).toBe(first!.endsAt);
    expect(await it.app.payments.ofAccount(ann.id)).toHaveLength(2);
    await it.app.jobs.drain();
    expect(it.subjects(ann)).toEqual(['VIP was renewed']);
  });

  test('events in any order, repeated, and long after what they are about lead to the same result', async () => {
    const random = numbers(27);
    for (let round = 0; round < 24; round += 1) {
      const ann = await it.newMember();
      const { session, subscription } = await it.paid(ann);
      const waiting = [it.completed(session), it.invoicePaid(subscription)];
      const steps = [
        () => (it.stripe.billing.charge(subscription, 'open'), 'invoice.payment_failed'),
        () => (it.stripe.billing.recover(subscription), 'invoice.paid'),
        () => ((subscription.cancelAtPeriodEnd = true), ''),
        () => ((subscription.cancelAtPeriodEnd = false), ''),
        () => (it.stripe.billing.charge(subscription, 'paid'), 'invoice.paid'),
        () => ((subscription.cancelAtPeriodEnd = true), ''),
      ];
      while (steps.length > 0 || waiting.length > 0)
        if (steps.length > 0 && (waiting.length === 0 || random() < 0.5)) {
          const type = steps.shift()!();
          waiting.push(it.updated(subscription));
          if (type !== '')
            waiting.push(it.event(type, billing.invoice(subscription, subscription.invoices.at(-1)!)));
        } else {
          const [one] = waiting.splice(Math.floor(random() * waiting.length), 1);
          expect(await it.deliver(one!)).toBe(200);
          // It comes again, now or later.
          if (random() < 0.3) waiting.push(one!);
        }
      expect(await it.renewals(ann)).toMatchObject([
        { state: 'canceled', paid_until_time: timeText(it.clock.now() + 93 * DAY) },
      ]);
      expect((await it.ordersOf(ann)).map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
      expect(await it.benefitsOf(ann)).toHaveLength(3);
      const left = (await it.benefitsOf(ann, 'renewal')).filter(({ revokedAt }) => revokedAt === undefined);
      expect(left).toEqual([]);
      expect(await it.app.quota.compareLimit(it.app.database, ann.id)).toMatchObject({
        recorded: 100 * GB,
        ledger: 100 * GB,
      });
    }
  });

  test('thirty deliveries at once, to two servers, have the effect of one', async () => {
    const ann = await it.newMember();
    const { session, subscription } = await it.paid(ann);
    it.stripe.billing.charge(subscription, 'paid');
    const other = await openApp(it.app.config, { log: it.app.log, clock: it.clock });
    try {
      const events = [
        it.completed(session),
        it.invoicePaid(subscription, 0),
        it.invoicePaid(subscription, 1),
      ];
      const statuses = await Promise.all(
        Array.from({ length: 30 }, (_, n) => it.deliver(events[n % 3]!, n % 2 ? it.app : other)),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      await other.close();
    }
    expect(await it.renewals(ann)).toMatchObject([{ state: 'active' }]);
    expect((await it.ordersOf(ann)).map(({ state }) => state)).toEqual(['paid', 'paid']);
    expect(await it.benefitsOf(ann)).toHaveLength(2);
    expect(await it.app.payments.ofAccount(ann.id)).toHaveLength(2);
    const extensions = await it.benefitsOf(ann, 'renewal');
    expect(extensions.filter(({ revokedAt }) => revokedAt === undefined)).toHaveLength(1);
  });

  test('an answer that is late does not undo what a later question has shown', async () => {
    const { ann, subscription } = await it.renewing();
    const { promise, resolve } = Promise.withResolvers<void>();
    it.stripe.hold(promise);
    const late = it.deliver(it.updated(subscription));
    await expect.poll(() => it.stripe.delayed()).toBeGreaterThan(0);
    it.stripe.hold(undefined);
    subscription.cancelAtPeriodEnd = true;
    await it.deliver(it.updated(subscription));
    expect(await it.renewals(ann)).toMatchObject([{ state: 'canceled' }]);
    resolve();
    expect(await late).toBe(200);
    expect(await it.renewals(ann)).toMatchObject([{ state: 'canceled' }]);
  });

  test('a canceled renewal leaves what was paid for, and can be resumed until then', async () => {
    const { ann, renewal, subscription } = await it.renewing();
    const bob = await it.newMember();
    const params = { id: renewal.id };
    await expect(bob.call(renewalApi.cancel, { params })).rejects.toMatchObject({ id: 'not_found' });
    await expect(it.order(ann)).rejects.toMatchObject({ id: 'renewal_exists' });
    await it.app.jobs.drain();
    const canceled = await ann.call(renewalApi.cancel, { params });
    expect(canceled).toMatchObject({ state: 'canceled', next_charge_time: '' });
    expect(canceled.paid_until_time).toBe(renewal.paid_until_time);
    expect(subscription.cancelAtPeriodEnd).toBe(true);
    expect(await ann.call(renewalApi.cancel, { params })).toEqual(canceled);
    expect((await ann.call(renewalApi.resume, { params })).state).toBe('active');
    expect(subscription.cancelAtPeriodEnd).toBe(false);
    // A date that was set in the dashboard is a cancellation as well.
    subscription.cancelAt = subscription.periodEnd;
    await it.deliver(it.updated(subscription));
    expect(await it.renewals(ann)).toMatchObject([{ state: 'canceled' }]);
    expect((await ann.call(renewalApi.resume, { params })).state).toBe('active');
    await ann.call(renewalApi.cancel, { params });
    await it.order(ann);
    const { url } = await ann.call(renewalApi.payment, { params, body: { prefix: 'ja' } });
    expect(url).toBe('http://drive.test/ja/drive/payment');
    expect(Object.fromEntries(it.stripe.billing.settings.at(-1)!)).toMatchObject({
      customer: `cus_${subscription.id}`,
      'flow_data[type]': 'payment_method_update',
    });
    subscription.status = 'canceled';
    await it.send('customer.subscription.deleted', billing.subscription(subscription));
    expect(await it.renewals(ann)).toEqual([]);
    expect(await it.limitOf(ann)).toBe(100);
    await expect(ann.call(renewalApi.resume, { params })).rejects.toMatchObject({ id: 'renewal_ended' });
    await it.app.jobs.drain();
    expect(it.subjects(ann).filter((subject) => subject.includes('no longer'))).toHaveLength(3);
  });

  test('nobody can let a plan renew twice, from however many tabs', async () => {
    const ann = await it.newMember();
    const [month, year] = [await it.order(ann), await it.order(ann, true, 'year')];
    await Promise.allSettled([
      it.pay(ann, month.id),
      it.pay(ann, year.id),
      it.pay(ann, month.id),
      it.pay(ann, year.id),
    ]);
    const mine = () =>
      it.stripe.sessions.filter(({ form }) =>
        [month.id, year.id].includes(form.get('client_reference_id') ?? ''),
      );
    expect(mine().filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1);

    const bob = await it.newMember();
    const first = await it.order(bob);
    await it.pay(bob, first.id);
    const page = it.stripe.sessions.at(-1)!;
    const second = await it.order(bob, true, 'year');
    await it.pay(bob, second.id);
    expect(page.status).toBe('expired');
    const states = (await it.ordersOf(bob)).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['canceled', 'open']);
    // Paid in another tab, but not reported yet.
    it.stripe.complete(it.stripe.sessions.at(-1)!, it.seconds());
    const third = await it.order(bob);
    await expect(it.pay(bob, third.id)).rejects.toMatchObject({ id: 'order_not_open' });
    expect(await it.renewals(bob)).toMatchObject([{ state: 'active', months: 12 }]);
    await expect(it.pay(bob, third.id)).rejects.toMatchObject({ id: 'renewal_exists' });
  });

  test('an order that would renew a plan a second time can’t be paid after the first renewal was resumed', async () => {
    const { ann, renewal } = await it.renewing();
    const params = { id: renewal.id };
    await ann.call(renewalApi.cancel, { params });
    const { id } = await it.order(ann);
    await it.pay(ann, id);
    await ann.call(renewalApi.resume, { params });
    await expect(it.pay(ann, id)).rejects.toMatchObject({ id: 'renewal_exists' });
  });

  test('of two canceled renewals of a plan, only one can be resumed, also at the same time', async () => {
    const { ann, renewal, subscription } = await it.renewing();
    await ann.call(renewalApi.cancel, { params: { id: renewal.id } });
    const second = await it.paid(ann);
    await it.deliver(it.completed(second.session));
    const both = await it.renewals(ann);
    await ann.call(renewalApi.cancel, { params: { id: both[0]!.id } });
    await Promise.allSettled(both.map(({ id }) => ann.call(renewalApi.resume, { params: { id } })));
    const renewing = [subscription, second.subscription].filter((one) => !one.cancelAtPeriodEnd);
    expect(renewing.length).toBeLessThanOrEqual(1);
    expect((await it.renewals(ann)).filter(({ state }) => state === 'active')).toHaveLength(renewing.length);
  });

  test('a second renewal that began nevertheless is canceled after its first term', async () => {
    const { ann, id, renewal } = await it.renewing();
    const form = new URLSearchParams(it.stripe.sessions.at(-1)!.form);
    expect(form.get('client_reference_id')).toBe(id);
    const second = it.stripe.billing.begin(form, it.seconds());
    await it.deliver(it.updated(second));
    await runJob(it.app, 'end-payments');
    expect(second.cancelAtPeriodEnd).toBe(true);
    await it.deliver(it.updated(second));
    const both = await it.renewals(ann);
    expect(both.map(({ state }) => state).toSorted()).toEqual(['active', 'canceled']);
    expect(both.find((one) => one.state === 'active')!.id).toBe(renewal.id);
    expect((await it.ordersOf(ann)).filter(({ state }) => state === 'paid')).toHaveLength(2);
  });

  test('a refund of the latest term ends the renewal, one of an earlier term only that term', async () => {
    const { ann, subscription } = await it.renewing();
    it.stripe.billing.charge(subscription, 'paid');
    // Also if the event about the payment is late.
    await it.send('charge.refunded', billing.charge(subscription, subscription.invoices[0]!));
    expect((await it.ordersOf(ann)).map(({ state }) => state)).toEqual(['paid', 'refunded']);
    expect(await it.renewals(ann)).toMatchObject([{ state: 'active' }]);
    expect(await it.limitOf(ann)).toBe(100);
    await it.send('charge.refunded', billing.charge(subscription, subscription.invoices[1]!));
    await it.deliver(it.invoicePaid(subscription));
    expect((await it.ordersOf(ann)).map(({ state }) => state)).toEqual(['refunded', 'refunded']);
    expect(await it.renewals(ann)).toEqual([]);
    expect(await it.limitOf(ann)).toBe(10);
    expect(subscription.status).toBe('active');
    await runJob(it.app, 'end-payments');
    expect(subscription.status).toBe('canceled');
  });

  test('what doesn’t fit is logged and changes nothing', async () => {
    const { ann, subscription } = await it.renewing();
    const stranger = { ...subscription, id: 'sub_stranger', order: '', invoices: subscription.invoices };
    it.stripe.billing.all.push(stranger);
    expect(await it.deliver(it.updated(stranger))).toBe(200);
    expect(await it.deliver(it.updated({ ...subscription, id: 'sub_missing' }))).toBe(200);
    const proration = it.stripe.billing.charge(subscription, 'paid', 'subscription_update');
    await it.send('invoice.paid', billing.invoice(subscription, proration));
    expect(await it.benefitsOf(ann)).toHaveLength(1);
    it.stripe.break();
    expect(await it.deliver(it.updated(subscription))).toBe(503);
    it.stripe.break(false);
  });
});
