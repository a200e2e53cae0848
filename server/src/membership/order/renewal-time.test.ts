import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachDatabase, grantBenefit, renewingApp, runJob, stripeObjects } from '../../../testing/index.ts';
import { endingStore } from './payment-ending-store.ts';

const DAY = 24 * 3600 * 1000;
const { billing, session: sessionOf } = stripeObjects;

eachDatabase((dialect) => {
  let it: Awaited<ReturnType<typeof renewingApp>>;
  beforeAll(async () => {
    it = await renewingApp(dialect);
  });
  afterAll(() => it[Symbol.asyncDispose]());

  test('an erased member is not charged again, even if Stripe can’t be reached for a while', async () => {
    const { ann, subscription } = await it.renewing();
    const bob = await it.newMember();
    const unnoticed = await it.paid(bob);
    const carl = await it.newMember();
    await it.pay(carl, (await it.order(carl)).id);
    const page = it.stripe.sessions.at(-1)!;
    it.stripe.break();
    for (const { id } of [ann, bob, carl]) {
      await it.app.closings.order((await it.app.accounts.find(it.app.database, id))!, 'now');
      await it.app.erasing.erase(id, new AbortController().signal);
    }
    await runJob(it.app, 'end-payments');
    expect([subscription.status, unnoticed.subscription.status, page.status]).toEqual([
      'active',
      'active',
      'open',
    ]);
    it.stripe.break(false);
    it.clock.advance(3600 * 1000);
    await runJob(it.app, 'end-payments');
    expect([subscription.status, unnoticed.subscription.status, page.status]).toEqual([
      'canceled',
      'canceled',
      'expired',
    ]);
    expect(await it.deliver(it.invoicePaid(subscription))).toBe(200);
    expect(await it.deliver(it.completed(unnoticed.session))).toBe(200);
    for (const { id } of [ann, bob, carl]) {
      expect(await it.app.orders.list(id)).toEqual([]);
      expect(await it.app.renewals.list(id, true)).toEqual([]);
    }
  });

  test('payments whose events never came are found, and have their effect once', async () => {
    const { ann, subscription } = await it.renewing();
    const bob = await it.newMember();
    const late = await it.paid(bob);
    const carl = await it.newMember();
    const once = await it.order(carl, false);
    await it.pay(carl, once.id);
    const page = it.stripe.sessions.at(-1)!;
    it.stripe.complete(page);
    const dora = await it.newMember();
    await it.pay(dora, (await it.order(dora, false)).id);
    const unpaid = it.stripe.sessions.at(-1)!;
    it.stripe.billing.charge(subscription, 'paid');

    await runJob(it.app, 'ask-payments');
    // Too soon: the events are probably on their way.
    expect(await it.renewals(bob)).toEqual([]);
    it.clock.advance(4 * DAY);
    unpaid.status = 'expired';
    await runJob(it.app, 'ask-payments');
    expect(await it.benefitsOf(ann)).toHaveLength(2);
    expect(await it.renewals(bob)).toMatchObject([{ state: 'active' }]);
    expect((await it.ordersOf(carl))[0]!.state).toBe('paid');
    expect((await it.ordersOf(dora))[0]!.state).toBe('open');
    await it.deliver(it.completed(late.session));
    await it.send('checkout.session.completed', sessionOf(page));
    it.clock.advance(DAY);
    await runJob(it.app, 'ask-payments');
    for (const [member, terms] of [
      [ann, 2],
      [bob, 1],
      [carl, 1],
    ] as const)
      expect(await it.benefitsOf(member)).toHaveLength(terms);
  });

  test('an account that its owner has closed is not charged again', async () => {
    const { ann, subscription } = await it.renewing();
    await it.app.closings.order((await it.app.accounts.find(it.app.database, ann.id))!, 'later');
    it.clock.advance(DAY);
    await runJob(it.app, 'ask-payments');
    await runJob(it.app, 'end-payments');
    expect(subscription.cancelAtPeriodEnd).toBe(true);
  });

  test('a charge that failed before an account was closed is not tried again', async () => {
    const { ann, subscription } = await it.renewing();
    it.clock.advance(31 * DAY);
    it.stripe.billing.charge(subscription, 'open');
    await it.app.closings.order((await it.app.accounts.find(it.app.database, ann.id))!, 'later');
    await runJob(it.app, 'ask-payments');
    await runJob(it.app, 'end-payments');
    expect(subscription.status).toBe('canceled');
  });

  test('a renewal that has to end at once isn’t kept until the end of its term', async () => {
    const { subscription } = await it.renewing();
    const dueAt = it.clock.now();
    for (const kind of ['renewing', 'renewal', 'renewing'] as const)
      await it.app.database.transaction((tx) => endingStore.insert(tx, { id: subscription.id, kind, dueAt }));
    await runJob(it.app, 'end-payments');
    expect(subscription.status).toBe('canceled');
  });

  test('a failed charge is told, and the plan stays for the grace period after its paid end', async () => {
    const { ann, subscription } = await it.renewing();
    await it.app.jobs.drain();
    it.clock.advance(30 * DAY);
    await runJob(it.app, 'remind-plans');
    it.clock.advance(DAY + 3600 * 1000);
    it.stripe.billing.charge(subscription, 'open');
    const failed = it.event(
      'invoice.payment_failed',
      billing.invoice(subscription, subscription.invoices[1]!),
    );
    await it.deliver(failed);
    await it.send('invoice.payment_failed', billing.invoice(subscription, subscription.invoices[1]!));
    await runJob(it.app, 'remind-plans');
    expect(it.subjects(ann)).toEqual(['Your payment for VIP failed']);
    expect(await it.renewals(ann)).toMatchObject([
      { state: 'past_due', next_charge_time: '', paid_until_time: '' },
    ]);
    expect(await it.planOf(ann)).toBeDefined();
    it.clock.advance(6 * DAY);
    expect(await it.planOf(ann)).toBeDefined();
    it.clock.advance(DAY);
    expect(await it.planOf(ann)).toBeUndefined();
    await runJob(it.app, 'update-limits');
    expect(await it.limitOf(ann)).toBe(100);

    it.stripe.billing.recover(subscription);
    await it.deliver(it.invoicePaid(subscription));
    expect(await it.planOf(ann)).toBe(it.clock.now() + 31 * DAY);
    expect(await it.renewals(ann)).toMatchObject([{ state: 'active' }]);
  });

  test('a member who can’t be charged and cancels is not charged again', async () => {
    const { ann, renewal, subscription } = await it.renewing();
    it.clock.advance(31 * DAY);
    it.stripe.billing.charge(subscription, 'open');
    await it.deliver(it.updated(subscription));
    const ended = await it.app.renewals.cancel(ann.id, renewal.id);
    expect(ended.state).toBe('ended');
    expect(subscription.status).toBe('canceled');
    expect(await it.planOf(ann)).toBeDefined();

    // Also if nobody has reported yet that the charge has failed.
    const unreported = await it.renewing();
    it.clock.advance(31 * DAY);
    it.stripe.billing.charge(unreported.subscription, 'open');
    const canceled = await it.app.renewals.cancel(unreported.ann.id, unreported.renewal.id);
    expect(canceled.state).toBe('ended');
    expect(unreported.subscription.status).toBe('canceled');
  });

  test('a plan that renews is never interrupted, and nobody is reminded of an end that isn’t one', async () => {
    const { ann, renewal, subscription } = await it.renewing();
    await it.app.jobs.drain();
    for (let term = 0; term < 3; term += 1) {
      for (let hour = 0; hour < 31 * 4; hour += 1) {
        it.clock.advance(6 * 3600 * 1000);
        if (hour % 20 === 0) await runJob(it.app, 'remind-plans');
        if (hour % 20 === 0) expect(await it.planOf(ann)).toBeDefined();
      }
      // Stripe charges an hour after the end of a term.
      it.clock.advance(3600 * 1000);
      expect(await it.planOf(ann)).toBeDefined();
      it.stripe.billing.charge(subscription, 'paid');
      await it.deliver(it.invoicePaid(subscription));
      expect(await it.planOf(ann)).toBeDefined();
    }
    await it.app.jobs.drain();
    expect(it.subjects(ann)).toEqual(Array.from({ length: 3 }, () => 'VIP was renewed'));
    await it.app.renewals.cancel(ann.id, renewal.id);
    it.clock.advance(25 * DAY);
    await runJob(it.app, 'remind-plans');
    expect(it.subjects(ann).at(-1)).toContain('Your VIP plan ends on');
    it.clock.advance(7 * DAY);
    await runJob(it.app, 'update-limits');
    expect([await it.planOf(ann), await it.limitOf(ann)]).toEqual([undefined, 100]);
    it.clock.advance(7 * DAY);
    await runJob(it.app, 'update-limits');
    expect(await it.limitOf(ann)).toBe(10);
  });

  test('days from elsewhere follow the paid ones, without a gap and without loss', async () => {
    const { ann, subscription } = await it.renewing();
    await grantBenefit(it.app, ann, { plan: 'vip', days: 5 });
    it.clock.advance(31 * DAY);
    it.stripe.billing.charge(subscription, 'paid');
    await it.deliver(it.invoicePaid(subscription));
    expect(await it.planOf(ann)).toBe(it.clock.now() + 36 * DAY);
  });
});
