import { shareApi, subscriptionApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  grantBenefit,
  openTestApp,
  plant,
  signIn,
  turnableClock,
  type Member,
} from '../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const SOLD = {
  external_products: {
    plans: [{ id: 'vip', shares: 5, subscriptions: 3 }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        name: 'VIP',
        terms: [{ id: 'month', months: 1, price: { USD: 499 } }],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
  },
};
const subscribe = (ann: Member, n: number) =>
  ann.call(subscriptionApi.create, {
    body: { kind: 'feed', url: `https://example.org/${n}`, active: false },
  });
const succeeded = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

eachDatabase((dialect) => {
  test('shares: of parallel requests exactly as many succeed as fit, and ended ones make room', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock, environment: { MEMBER_SHARES: '3' } });
    let ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { 'list.txt': 'blue things' });
    const share = (days = -1) =>
      ann.call(shareApi.create, { body: { file_ids: [ids['list.txt']!], expiration_days: days } });
    const edit = (id: string, change: object) =>
      ann.call(shareApi.edit, { body: { share_id: id, ...change } });
    const cancel = (id: string) => ann.call(shareApi.cancel, { params: { id } });
    const { share_id: expiring } = await share(1);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => share()));
    expect(succeeded(results)).toBe(2);
    await expect(share()).rejects.toMatchObject({
      id: 'share_limit',
      code: 8,
      status: 403,
      facts: { limit: '3' },
      text: 'You’ve reached your limit of active shares: 3. Stop one you no longer need.',
    });
    // A share that exists can be changed, and paused ones count.
    await edit(expiring, { paused: true, title: 'Things' });
    await expect(share()).rejects.toMatchObject({ id: 'share_limit' });
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    const { share_id: instead } = await share();
    // An expired share that is extended takes a place again.
    const extend = () => edit(expiring, { expiration_days: 7 });
    await expect(extend()).rejects.toMatchObject({ id: 'share_limit' });
    await cancel(instead);
    await extend();
    await expect(share()).rejects.toMatchObject({ id: 'share_limit' });
    await grantBenefit(app, ann, { plan: 'vip', days: 1 });
    await share();
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    // Nothing ends with the plan.
    await edit(expiring, { expiration_days: 30 });
    expect((await ann.call(shareApi.listOwn, { query: {} })).data).toHaveLength(4);
    await expect(share()).rejects.toMatchObject({ id: 'share_limit' });
  });

  test('subscriptions: of parallel requests exactly as many succeed as fit, and plans allow more', async () => {
    await using app = await openTestApp({
      dialect,
      documents: SOLD,
      environment: { MEMBER_SUBSCRIPTIONS: '2' },
    });
    const ann = await app.signUp('ann');
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => subscribe(ann, n)));
    expect(succeeded(results)).toBe(2);
    await expect(subscribe(ann, 20)).rejects.toMatchObject({
      id: 'subscription_limit',
      code: 8,
      status: 403,
      facts: { limit: '2', more: 'plan' },
      text: 'You’ve reached your limit of subscriptions: 2. Remove one you no longer need, or get a plan that allows more.',
    });
    await grantBenefit(app, ann, { plan: 'vip', days: 1 });
    await subscribe(ann, 21);
    const refusal = await subscribe(ann, 22).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ id: 'subscription_limit', facts: { limit: '3' } });
    expect(refusal).not.toMatchObject({ facts: { more: 'plan' } });
  });

  test('without a limit nobody is refused', async () => {
    await using app = await openTestApp({ dialect, environment: { MEMBER_SUBSCRIPTIONS: '0' } });
    const ann = await app.signUp('ann');
    expect(succeeded(await Promise.allSettled(Array.from({ length: 60 }, (_, n) => subscribe(ann, n))))).toBe(
      60,
    );
  });
});
