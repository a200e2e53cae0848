import { orderApi } from '@bowerbird/contract';
import type { Dialect } from '../../src/foundation/database/index.ts';
import { renewalView } from '../../src/membership/order/renewal-view.ts';
import { mailServer } from '../mail-server.ts';
import { PASSWORD, signIn, type Member } from '../member.ts';
import { openTestApp, turnableClock, type TestApp } from '../test-app.ts';
import type { StripeSubscription } from './stripe-billing.ts';
import { stripeObjects, stripeServer, type StripeSession } from './stripe-server.ts';

const GB = 2 ** 30;
const DAY = 24 * 3600 * 1000;
/** The stand-in's payment pages end a day after the real present. */
const START = Math.floor(Date.now() / DAY) * DAY - 400 * DAY;
const DOCUMENTS = {
  external_products: {
    grace_days: 7,
    plans: [{ id: 'vip', name: 'VIP', storage: '100 GB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [
          { id: 'month', months: 1, renews: true, price: { USD: 499 } },
          { id: 'year', months: 12, renews: true, price: { USD: 4990 } },
          { id: 'week', days: 7, price: { USD: 199 } },
        ],
      },
    ],
    bank_transfer: { recipient: 'Example Ltd', account: 'DE02' },
    invoices: { seller: { name: 'Example Ltd', address: ['Berlin'] } },
  },
};
const { billing, begun } = stripeObjects;

/** An installation that sells a plan that renews, its mail server, a stand-in for Stripe, and what members do there. */
export async function renewingApp(dialect: Dialect) {
  const [stripe, mails] = [await stripeServer(), await mailServer()];
  const clock = turnableClock(START);
  const app = await openTestApp({
    dialect,
    clock,
    documents: DOCUMENTS,
    environment: { MEMBER_STORAGE: '10 GB', SMTP_URL: mails.url, ...stripe.environment },
  });
  let count = 0;
  const order = (member: Member, renews = true, term = 'month') =>
    member.call(orderApi.create, { body: { product: 'vip', term, currency: 'USD', renews } });
  const pay = (member: Member, id: string) => member.call(orderApi.pay, { params: { id }, body: {} });

  const seconds = () => Math.floor(clock.now() / 1000);
  const event = (type: string, object: object) => stripe.event(type, object, seconds());
  const deliver = async (
    { body }: { readonly body: string },
    to: Pick<TestApp, 'http'> = app,
  ): Promise<number> => {
    // Stripe signs each attempt anew.
    const { type, data, id } = JSON.parse(body) as { type: string; id: string; data: { object: object } };
    const signed = stripe.event(type, data.object, seconds(), id);
    const url = '/vip/v1/stripe/webhook';
    const { statusCode } = await to.http.inject({
      method: 'POST',
      url,
      payload: signed.body,
      headers: signed.headers,
    });
    return statusCode;
  };
  const send = (type: string, object: object) => deliver(event(type, object));
  const newMember = async (): Promise<Member> => {
    const owner = { email: `ann${(count += 1)}@example.org`, password: PASSWORD };
    await app.accounts.add(owner, 'member');
    return signIn(app.http, owner as Member);
  };
  const limitOf = async ({ id }: Member) => (await app.quota.of(app.database, id)).limit / GB;
  // Not by calls of members, whose sessions end as time passes.
  const renewals = async ({ id }: Member) =>
    (await app.renewals.list(id)).map((one) => renewalView(one, 'en-US'));
  const planOf = async ({ id }: Member) => (await app.benefits.held(app.database, id))[0]?.endsAt;
  const benefitsOf = async ({ id }: Member, cause = 'order') =>
    (await app.benefits.list(app.database, id)).filter((one) => one.cause === cause);
  const ordersOf = ({ id }: Member) => app.orders.list(id);
  const subjects = (member: Member) => {
    const of = mails.mails.filter((mail) => JSON.stringify(mail.to).includes(member.email));
    return of.map(({ subject = '' }) => subject).filter((subject) => subject.includes('VIP'));
  };

  /** Somebody orders the plan with renewal and pays on Stripe's page; nothing has been reported yet. */
  async function paid(member: Member) {
    const { id } = await order(member);
    await pay(member, id);
    const session = stripe.sessions.find(({ form }) => form.get('client_reference_id') === id)!;
    stripe.complete(session, seconds());
    const subscription = stripe.billing.all.find((one) => one.id === session.subscription)!;
    return { id, session, subscription };
  }
  const completed = (session: StripeSession) => event('checkout.session.completed', begun(session));
  const invoicePaid = (one: StripeSubscription, at = one.invoices.length - 1) =>
    event('invoice.paid', billing.invoice(one, one.invoices[at]!));
  const updated = (one: StripeSubscription) =>
    event('customer.subscription.updated', billing.subscription(one));
  /** Also reported. */
  async function renewing() {
    const ann = await newMember();
    const it = await paid(ann);
    await deliver(completed(it.session));
    const [renewal] = await renewals(ann);
    return { ann, ...it, renewal: renewal! };
  }

  return {
    ...{ stripe, app, clock, seconds, order, pay },
    ...{ event, deliver, send, completed, invoicePaid, updated },
    ...{ newMember, paid, renewing },
    ...{ renewals, planOf, benefitsOf, ordersOf, limitOf, subjects },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await mails[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}
