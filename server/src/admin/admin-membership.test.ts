import {
  adminApi,
  adminMembershipApi,
  codeApi,
  membershipApi,
  orderApi,
  type EndpointSpec,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  PASSWORD,
  signIn,
  stripeObjects,
  stripeServer,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const DOCUMENTS = {
  external_products: {
    plans: [
      { id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 MB' },
      { id: 'team', name: 'Team' },
    ],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [
          { id: 'month', months: 1, price: { USD: 499 } },
          { id: 'year', months: 12, price: { USD: 4990 } },
        ],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
  },
};
const BATCH = { count: 3, plan: 'vip', days: 30, uses: 2, audience: 'everyone', note: 'Fair' } as const;
const IT = { params: { id: 'V1' } };

const CALLS: readonly [EndpointSpec, object][] = [
  [adminMembershipApi.plans, {}],
  [adminMembershipApi.batches, { query: {} }],
  [adminMembershipApi.createBatch, { body: BATCH }],
  [adminMembershipApi.endBatch, IT],
  [adminMembershipApi.orders, { query: {} }],
  [adminMembershipApi.order, IT],
  [adminMembershipApi.confirmOrder, IT],
  [adminMembershipApi.cancelOrder, IT],
  [adminMembershipApi.refundOrder, IT],
  [adminMembershipApi.grantPlan, { ...IT, body: { plan: 'vip', days: 1 } }],
  [adminMembershipApi.endPlans, IT],
];

test('every endpoint is in the list of calls that are tried without permission', () => {
  expect(CALLS.map(([spec]) => spec.name).toSorted()).toEqual(
    Object.values(adminMembershipApi)
      .map(({ name }) => name)
      .toSorted(),
  );
});

/** Member who is an administrator and is signed in. */
async function operatorOf(app: TestApp): Promise<Member> {
  const olga = { email: 'olga@example.org', name: 'Olga', password: PASSWORD };
  await app.accounts.add(olga, 'operator');
  return signIn(app.http, olga as unknown as Member);
}

const codesOf = async (olga: Member, id: string) => {
  const { body } = await olga.inject({ method: 'GET', url: `/admin/v1/code-batches/${id}/codes.csv` });
  return body.trimEnd().split('\r\n').slice(1);
};
const order = (member: Member, term = 'month') =>
  member.call(orderApi.create, { body: { product: 'vip', term, currency: 'USD' } });
const statusOf = async (member: Member) => (await member.call(membershipApi.vip, {})).data.status;

eachDatabase((dialect) => {
  const open = (environment: Record<string, string> = {}) =>
    openTestApp({ dialect, documents: DOCUMENTS, environment: { MEMBER_STORAGE: '10 MB', ...environment } });

  test('only administrators may do this, and without plans there is nothing to do', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    for (const [spec, input] of CALLS) {
      await expect(ann.call(spec, input), spec.name).rejects.toMatchObject({ id: 'permission_denied' });
      await expect(app.visitor.call(spec, input), spec.name).rejects.toMatchObject({ id: 'unauthenticated' });
    }
    const url = '/admin/v1/code-batches/V1/codes.csv';
    expect((await ann.inject({ url })).statusCode).toBe(403);
    expect((await app.visitor.inject({ url })).statusCode).toBe(401);

    await using plain = await openTestApp({ dialect });
    const olga = await operatorOf(plain);
    expect(await olga.call(adminMembershipApi.plans, {})).toEqual({ plans: [], sells: false });
    for (const [spec, input] of CALLS.slice(1))
      await expect(olga.call(spec, input), spec.name).rejects.toMatchObject({ id: 'not_found' });
    expect((await olga.inject({ url })).statusCode).toBe(404);
  });

  test('an administrator creates codes, exports them, sees how many were redeemed, and ends them', async () => {
    await using app = await open();
    const [olga, ann] = [await operatorOf(app), await app.signUp('ann')];
    const { id } = await olga.call(adminMembershipApi.createBatch, { body: BATCH });
    const [first, ...others] = await codesOf(olga, id);
    expect(others).toHaveLength(2);
    expect(first).toMatch(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3},0,2,$/);
    const code = first!.split(',')[0]!;
    const redeem = (typed: string) => ann.call(codeApi.redeem, { body: { activation_code: typed } });
    await redeem(code);
    await expect(redeem(code)).rejects.toMatchObject({ id: 'activation_code_reused' });
    expect((await codesOf(olga, id))[0]).toBe(`${code},1,2,${ann.id}`);
    const { batches } = await olga.call(adminMembershipApi.batches, { query: {} });
    expect(batches).toMatchObject([
      {
        id,
        plan: 'vip',
        plan_name: 'VIP',
        days: 30,
        count: 3,
        uses: 2,
        used: 1,
        state: 'active',
        note: 'Fair',
      },
    ]);
    await olga.call(adminMembershipApi.endBatch, { params: { id } });
    await expect(olga.call(adminMembershipApi.endBatch, { params: { id } })).rejects.toMatchObject({
      id: 'not_found',
    });
    await expect(redeem(others[0]!.split(',')[0]!)).rejects.toThrow('This code has expired.');
    expect(await statusOf(ann)).toBe('ok');
  });

  test('batches come in pages, the newest first, and impossible ones are refused', async () => {
    await using app = await open();
    const olga = await operatorOf(app);
    const create = (body: object) =>
      olga.call(adminMembershipApi.createBatch, { body: { ...BATCH, count: 1, ...body } });
    for (const note of ['one', 'two', 'three']) await create({ note });
    const notes: string[] = [];
    for (let token = '', turn = 0; turn === 0 || token !== ''; turn += 1) {
      const page = await olga.call(adminMembershipApi.batches, { query: { limit: 2, page_token: token } });
      notes.push(...page.batches.map(({ note }) => note));
      token = page.next_page_token;
    }
    expect(notes).toEqual(['three', 'two', 'one']);
    expect(await create({ plan: undefined, bytes: '1024' })).toMatchObject({
      kind: 'storage',
      bytes: '1024',
    });
    const starts = '2090-01-01T00:00:00Z';
    expect(await create({ starts_at: starts })).toMatchObject({ state: 'coming' });
    for (const wrong of [
      { plan: 'gold' },
      { plan: 'free' },
      { plan: undefined },
      { bytes: '1' },
      { plan: undefined, bytes: '0' },
      { count: 10_001 },
      { days: 0 },
      { uses: 0 },
      { ends_at: '2020-01-01T00:00:00Z' },
      { starts_at: starts, ends_at: '2089-01-01T00:00:00Z' },
      { ends_at: 'tomorrow' },
    ])
      await expect(create(wrong), JSON.stringify(wrong)).rejects.toMatchObject({ id: 'invalid_argument' });
  });

  test('orders are found by state, reference and email address, and come in pages', async () => {
    await using app = await open();
    const olga = await operatorOf(app);
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const placed = [await order(ann), await order(ann, 'year'), await order(bob)];
    const list = async (query: object) =>
      (await olga.call(adminMembershipApi.orders, { query })).orders.map(({ id }) => id);
    const [first, second, third] = placed.map(({ id }) => id);
    expect(await list({})).toEqual([third, second, first]);
    const page = await olga.call(adminMembershipApi.orders, { query: { limit: 2, state: 'open' } });
    expect(page.orders.map(({ buyer }) => buyer)).toEqual(['bob@example.org', 'ann@example.org']);
    expect(await list({ limit: 2, state: 'open', page_token: page.next_page_token })).toEqual([first]);
    expect(await list({ search: ' ANN@example.org ' })).toEqual([second, first]);
    const { reference } = placed[2]!;
    expect(await list({ search: `${reference.slice(0, 4).toLowerCase()} ${reference.slice(4)}` })).toEqual([
      third,
    ]);
    expect(await list({ search: 'nobody@example.org' })).toEqual([]);
    expect(await list({ search: reference, state: 'paid' })).toEqual([]);
    await expect(list({ state: 'paid', page_token: page.next_page_token })).rejects.toMatchObject({
      id: 'invalid_argument',
    });
  });

  test('a transfer is confirmed once, however often it is sent, and a refund says that the money has to be returned', async () => {
    await using app = await open();
    const [olga, ann] = [await operatorOf(app), await app.signUp('ann')];
    const { id } = await order(ann);
    const it = { params: { id } };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => olga.call(adminMembershipApi.confirmOrder, it)),
    );
    expect(replies.filter(({ changed }) => changed)).toHaveLength(1);
    expect(replies[0]!.order).toMatchObject({ state: 'paid', price: '$4.99', buyer: 'ann@example.org' });
    expect(await app.benefits.list(app.database, ann.id)).toHaveLength(1);
    expect(await olga.call(adminMembershipApi.cancelOrder, it)).toMatchObject({
      changed: false,
      order: { state: 'paid' },
    });
    expect(await olga.call(adminMembershipApi.order, it)).toMatchObject({ payment: '', pending: false });
    expect(await olga.call(adminMembershipApi.refundOrder, it)).toMatchObject({
      changed: true,
      returned: false,
      order: { state: 'refunded' },
    });
    expect(await statusOf(ann)).toBe('invalid');
    expect(await olga.call(adminMembershipApi.refundOrder, it)).toMatchObject({ changed: false });
    for (const spec of [adminMembershipApi.order, adminMembershipApi.refundOrder])
      await expect(olga.call(spec, IT)).rejects.toMatchObject({ id: 'not_found' });
  });

  test('a plan is given for days and ended, and the list of people says so', async () => {
    await using app = await open();
    const [olga, ann] = [await operatorOf(app), await app.signUp('ann')];
    const give = (plan: string, days = 10) =>
      olga.call(adminMembershipApi.grantPlan, { params: { id: ann.id }, body: { plan, days } });
    await give('vip');
    await give('vip');
    const plansOf = async (language = 'en-US') => {
      const { people } = await olga.call(adminApi.people, { query: {} }, { 'accept-language': language });
      return people.find(({ id }) => id === ann.id)!.plans.map(({ name }) => name);
    };
    expect(await plansOf()).toEqual(['VIP']);
    expect(await plansOf('ja')).toEqual(['会員']);
    const [item] = (await ann.call(membershipApi.info, {})).data.vipItem;
    expect(item!.surplus_day).toBe(20);
    for (const wrong of ['gold', 'free'])
      await expect(give(wrong)).rejects.toMatchObject({ id: 'not_found' });
    await expect(give('vip', 40_000)).rejects.toMatchObject({ id: 'invalid_argument' });
    await olga.call(adminMembershipApi.endPlans, { params: { id: ann.id } });
    expect(await plansOf()).toEqual([]);
    await expect(olga.call(adminMembershipApi.endPlans, { params: { id: ann.id } })).rejects.toMatchObject({
      id: 'not_found',
    });
  });
});

test('a refund of an online payment returns the money once, and changes nothing if that fails', async () => {
  await using stripe = await stripeServer();
  await using app = await openTestApp({ documents: DOCUMENTS, environment: stripe.environment });
  const [olga, ann] = [await operatorOf(app), await app.signUp('ann')];
  const { id } = await order(ann);
  await ann.call(orderApi.pay, { params: { id }, body: {} });
  const session = stripe.sessions[0]!;
  const event = stripe.event('checkout.session.completed', stripeObjects.session(session));
  await app.payments.take(Buffer.from(event.body), event.headers['stripe-signature']);
  const it = { params: { id } };
  const payment = `pi_${session.id}`;
  expect(await olga.call(adminMembershipApi.order, it)).toMatchObject({ payment, order: { state: 'paid' } });
  stripe.break(true);
  await expect(olga.call(adminMembershipApi.refundOrder, it)).rejects.toMatchObject({ id: 'unavailable' });
  expect(await statusOf(ann)).toBe('ok');
  stripe.break(false);
  expect(await olga.call(adminMembershipApi.refundOrder, it)).toMatchObject({
    changed: true,
    returned: true,
  });
  expect(stripe.refunds).toEqual([payment]);
  expect(await statusOf(ann)).toBe('invalid');
});
