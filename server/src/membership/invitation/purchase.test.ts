import {
  accountApi,
  inviteApi,
  membershipApi,
  orderApi,
  promotingApi,
  type ReplyOf,
} from '@bowerbird/contract';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApp } from '../../app.ts';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  person,
  runJob,
  signIn,
  turnableClock,
  upload,
  type Member,
  type TestApp,
} from '../../../testing/index.ts';

const DAY = 24 * 3600 * 1000;
const START = Date.UTC(2026, 10, 28, 12);
const products = [
  {
    id: 'vip',
    kind: 'plan',
    plan: 'vip',
    terms: [
      { id: 'month', months: 1, price: { USD: 499 } },
      { id: 'year', months: 12, price: { USD: 4990 } },
    ],
  },
];
const documents = (invitations: object, more: object = {}) => ({
  external_products: {
    plans: [{ id: 'vip', name: 'VIP', storage: '50 MB' }],
    invitations,
    products,
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
    ...more,
  },
});
const OFFER = documents({ purchase_days: 30, most_days: 50 });

let visits = 0;

/** Creates an account from an own network and device. */
async function newcomer(app: TestApp, name: string): Promise<Member> {
  visits += 1;
  const headers = { 'x-forwarded-for': `203.0.113.${visits % 250}`, 'x-device-id': `buyer${visits}` };
  const body = { email: `${name}@example.org`, password: PASSWORD, name };
  const grant = await person(app.http, headers).call(accountApi.signUp, { body });
  const accessToken = grant.access_token!;
  return {
    ...person(app.http, { ...headers, authorization: `Bearer ${accessToken}` }),
    id: grant.sub,
    email: body.email,
    password: PASSWORD,
    accessToken,
    refreshToken: grant.refresh_token!,
  };
}

/** Creates an account with the invite link of somebody. */
async function invited(app: TestApp, inviter: Member, name: string): Promise<Member> {
  const friend = await newcomer(app, name);
  const { code } = await inviter.call(membershipApi.inviteCode, {});
  await friend.call(inviteApi.welcome, { body: { invite_code: code } });
  return friend;
}

const order = async (app: TestApp, member: Member, term = 'month') => {
  const { reference } = await member.call(orderApi.create, {
    body: { product: 'vip', term, currency: 'USD' },
  });
  return (await app.orders.byReference(reference))!;
};
const buy = async (app: TestApp, member: Member, term?: string) => {
  const placed = await order(app, member, term);
  return (await app.orders.confirm(placed))!.order;
};
const listOf = async (member: Member): Promise<ReplyOf<typeof inviteApi.list>['data']> =>
  (await member.call(inviteApi.list, { query: {} })).data;
const daysOf = async (member: Member) => (await member.call(inviteApi.info, {})).add_days;
const planOf = async (app: TestApp, { id }: Member) => app.benefits.held(app.database, id);

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({
      dialect,
      documents: OFFER,
      ...more,
      environment: { MEMBER_STORAGE: '10 MB', TRUSTED_PROXIES: '127.0.0.1' },
    });

  test('the first paid order of a friend brings the inviter days, once, and the list says so', async () => {
    await using app = await open();
    const ann = await newcomer(app, 'ann');
    const bob = await invited(app, ann, 'robert');
    await order(app, bob, 'year');
    await runJob(app, 'reward-invitations');
    expect(await listOf(ann)).toMatchObject([{ reward_source: 'relation', reward_days: 0 }]);
    await buy(app, bob);
    await runJob(app, 'reward-invitations');
    expect((await planOf(app, ann)).map(({ plan }) => plan.id)).toEqual(['vip']);
    expect(await listOf(ann)).toMatchObject([
      { invited_user: 'r**t', reward_source: 'vip_rebate', reward_days: 30, state: 'rewarded' },
      { invited_user: 'r**t', reward_source: 'relation', reward_days: 0, state: 'waiting' },
    ]);
    expect(await ann.call(inviteApi.info, {})).toMatchObject({
      invited_nums: 1,
      add_days: 30,
      purchase_days: 30,
    });
    await buy(app, bob, 'year');
    await runJob(app, 'reward-invitations');
    expect(await daysOf(ann)).toBe(30);
    const [item] = (await ann.call(membershipApi.info, {})).data.vipItem;
    expect(item!.surplus_day).toBe(30);
  });

  test('thirty confirmations and looks at once, in two processes, bring the days once', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const ann = await newcomer(app, 'ann');
      const bob = await invited(app, ann, 'robert');
      const orders = [await order(app, bob), await order(app, bob, 'year')];
      await Promise.all(
        Array.from({ length: 30 }, async (_, n) => {
          await (n % 2 ? app : other).orders.confirm(orders[n % 4 < 2 ? 0 : 1]!);
          await ann.call(inviteApi.info, {});
        }),
      );
      await Promise.all([app, other].map((one) => runJob(one, 'reward-invitations')));
      expect(await daysOf(ann)).toBe(30);
      const rewards = (await app.benefits.list(app.database, ann.id)).map(({ cause }) => cause);
      expect(rewards).toEqual(['friend_order']);
    } finally {
      await other.close();
    }
  });

  test('a refund of that order takes the days back, and a later order doesn’t bring them again', async () => {
    await using app = await open();
    const ann = await newcomer(app, 'ann');
    const bob = await invited(app, ann, 'robert');
    const first = await buy(app, bob);
    expect(await daysOf(ann)).toBe(30);
    await app.orders.refund(first);
    expect(await daysOf(ann)).toBe(0);
    expect(await planOf(app, ann)).toEqual([]);
    expect((await listOf(ann)).map((one) => one.reward_source)).toEqual(['relation']);
    await buy(app, bob);
    await app.orders.refund(await buy(app, bob, 'year'));
    await runJob(app, 'reward-invitations');
    expect(await daysOf(ann)).toBe(0);
  });

  test('an order that is refunded before the days are given brings none, and a refund of another one changes nothing', async () => {
    await using app = await open();
    const ann = await newcomer(app, 'ann');
    const [bob, eve] = [await invited(app, ann, 'robert'), await invited(app, ann, 'evelyn')];
    await app.orders.refund(await buy(app, bob));
    await buy(app, eve);
    await app.orders.refund(await buy(app, eve, 'year'));
    await Promise.all([runJob(app, 'reward-invitations'), runJob(app, 'reward-invitations')]);
    expect(await daysOf(ann)).toBe(30);
  });

  test('all days for inviting count towards the most that an inviter can get', async () => {
    await using app = await open({
      documents: documents({ inviter_days: 14, purchase_days: 30, most_days: 50 }),
    });
    const ann = await newcomer(app, 'ann');
    const friends = [await invited(app, ann, 'robert'), await invited(app, ann, 'evelyn')];
    const paid = [];
    for (const friend of friends) {
      await upload(app, friend, 'egg.txt', 'an egg');
      paid.push(await buy(app, friend));
    }
    await runJob(app, 'reward-invitations');
    expect(await daysOf(ann)).toBe(50);
    await app.orders.refund(paid[0]!);
    expect(await daysOf(ann)).toBeLessThan(50);
  });

  test('nobody gets days for purchases of themselves, of strangers, or of people who bought before there were such days', async () => {
    await using app = await open({ documents: documents({ inviter_days: 14 }) });
    const [ann, cid] = [await newcomer(app, 'ann'), await newcomer(app, 'cid')];
    const bob = await invited(app, ann, 'robert');
    const { code } = await ann.call(membershipApi.inviteCode, {});
    const again = await newcomer(app, 'ann+2');
    await again.call(inviteApi.welcome, { body: { invite_code: code } });
    await buy(app, bob);
    await writeFile(join(app.config.DATA_DIR, 'site.json'), JSON.stringify(OFFER));
    const later = await openApp(app.config, { log: app.log });
    try {
      const there = (member: Member) => ({ ...member, ...person(later.http, member.headers) });
      for (const one of [bob, cid, again]) {
        const { reference } = await there(one).call(orderApi.create, {
          body: { product: 'vip', term: 'year', currency: 'USD' },
        });
        await later.orders.confirm((await later.orders.byReference(reference))!);
      }
      await runJob(later, 'reward-invitations');
      expect(await daysOf(there(ann))).toBe(0);
    } finally {
      await later.close();
    }
  });

  test('the calls about commissions say that there is no money, and count people and days', async () => {
    const clock = turnableClock(START);
    await using app = await open({ clock });
    let ann = await newcomer(app, 'ann');
    const bob = await invited(app, ann, 'robert');
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    await invited(app, ann, 'evelyn');
    const buyer = await signIn(app.http, bob);
    await buy(app, buyer);
    await runJob(app, 'reward-invitations');
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    expect(await ann.call(promotingApi.commissions, {})).toMatchObject({
      total: 0,
      pending: 0,
      available: 0,
    });
    expect(await ann.call(promotingApi.redemptions, {})).toEqual({ redemptions: [] });
    expect(await ann.call(promotingApi.rewards, {})).toEqual({
      total: 30,
      totalPaidNums: 1,
      totalRecommend: 2,
      yesterday: 30,
    });
    const money = { paid_amount: 0, paid_amount_commission: 0 };
    const daily = (query: Record<string, string>) => ann.call(promotingApi.daily, { query });
    expect(await daily({})).toEqual({
      C0: [
        { day: '2026-11-28', new_users: 1, paid_users: 0, ...money },
        { day: '2026-11-29', new_users: 1, paid_users: 1, ...money },
      ],
    });
    expect((await daily({ from: '2026-11-29', to: '2026-11-29' })).C0).toHaveLength(1);
    expect(await daily({ user_id: bob.id })).toEqual({ C0: [] });
    for (const wrong of [
      { from: '2026-11-31' },
      { from: '2026-11-30', to: '2026-11-29' },
      { from: '2024-01-01' },
    ])
      await expect(daily(wrong)).rejects.toMatchObject({ id: 'invalid_argument' });
    await expect(app.visitor.call(promotingApi.rewards, {})).rejects.toMatchObject({ id: 'unauthenticated' });
  });
});
