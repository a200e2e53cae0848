import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stripeBilling, stripeBillingObjects } from './stripe-billing.ts';

const WEBHOOK_SECRET = 'whsec_test';
const DAY_SECONDS = 24 * 3600;

export interface StripeSession {
  readonly id: string;
  readonly url: string;
  readonly form: URLSearchParams;
  status: 'open' | 'complete' | 'expired';
  /** Id of the subscription that began on it. */
  subscription?: string;
}

/** Header with Stripe's signature of a body (https://docs.stripe.com/webhooks#verify-manually). */
export function stripeSignature(body: string, seconds: number, secret = WEBHOOK_SECRET): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** The objects of Stripe that its events are about, with the fields that matter. */
export const stripeObjects = {
  billing: stripeBillingObjects,
  /** Page on which a renewal has begun. */
  begun: ({ id, subscription }: StripeSession, more: object = {}) => ({
    ...{ id, object: 'checkout.session', mode: 'subscription', payment_status: 'paid', subscription },
    ...more,
  }),
  session: ({ id, form }: StripeSession, more: object = {}) => ({
    id,
    object: 'checkout.session',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    currency: form.get('line_items[0][price_data][currency]'),
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    metadata: { order: form.get('metadata[order]') },
    ...more,
  }),
  charge: ({ id, form }: StripeSession, more: object = {}) => ({
    id: `ch_${id}`,
    object: 'charge',
    payment_intent: `pi_${id}`,
    refunded: true,
    currency: form.get('line_items[0][price_data][currency]'),
    amount: Number(form.get('line_items[0][price_data][unit_amount]')),
    metadata: { order: form.get('payment_intent_data[metadata][order]') },
    ...more,
  }),
};

/** A stand-in for the few endpoints of Stripe that are used. Opening its payment page pays, and leads back. */
export async function stripeServer() {
  const sessions: StripeSession[] = [];
  const refunds: string[] = [];
  /** Stripe replies to a repeated key with the reply to the first request, whatever has happened since. */
  const replies = new Map<string, object>();
  const billing = stripeBilling();
  let isBroken = false;
  let held: Promise<void> | undefined;
  let waiting = 0;
  let count = 0;

  function create(form: URLSearchParams, key: string): object {
    const known = replies.get(key);
    if (known) return known;
    const id = `cs_test_${(count += 1)}`;
    const session: StripeSession = { id, url: `${origin}/pay/${id}`, form, status: 'open' };
    sessions.push(session);
    const reply = viewOf(session);
    replies.set(key, reply);
    return reply;
  }
  function complete(session: StripeSession, at = Math.floor(Date.now() / 1000)): void {
    if (session.status !== 'open') return;
    session.status = 'complete';
    if (session.form.get('mode') === 'subscription')
      session.subscription = billing.begin(session.form, at).id;
  }
  const viewOf = (session: StripeSession) => ({
    ...(session.subscription === undefined ? stripeObjects.session(session) : stripeObjects.begun(session)),
    ...(session.status === 'complete' ? {} : { payment_status: 'unpaid', payment_intent: null }),
    url: session.status === 'open' ? session.url : null,
    status: session.status,
    expires_at: Math.floor(Date.now() / 1000) + DAY_SECONDS,
  });

  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const address = new URL(request.url ?? '/', origin);
      const { pathname } = address;
      const answer = (status: number, said: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      };
      const [, , , , id = '', action] = pathname.split('/');
      const session = sessions.find((one) => one.id === id || pathname === `/pay/${one.id}`);
      if (pathname.startsWith('/pay/') && session) {
        complete(session);
        return response.writeHead(303, { location: session.form.get('success_url') ?? '' }).end();
      }
      if (request.headers.authorization !== 'Bearer sk_test_key')
        return answer(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
      if (isBroken) return answer(400, { error: { type: 'invalid_request_error', message: 'No' } });
      if (pathname === '/v1/checkout/sessions')
        return answer(200, create(new URLSearchParams(body), String(request.headers['idempotency-key'])));
      if (pathname === '/v1/refunds') {
        refunds.push(new URLSearchParams(body).get('payment_intent') ?? '');
        return answer(200, { id: 're_1', object: 'refund', status: 'succeeded' });
      }
      if (!pathname.startsWith('/v1/checkout/')) {
        const reply = billing.answer(request.method ?? '', address, new URLSearchParams(body));
        // The reply may be old when it arrives.
        if (pathname.startsWith('/v1/invoices') && held) {
          waiting += 1;
          await held;
        }
        if (reply) return answer(200, reply);
      }
      if (!session) {
        const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' };
        return answer(404, { error });
      }
      if (action === 'expire') session.status = 'expired';
      return answer(200, viewOf(session));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let events = 0;

  /** A signed event; `at` is in seconds. With the id of another one, it is that one again. */
  function eventOf(
    type: string,
    object: object,
    at = Math.floor(Date.now() / 1000),
    id = `evt_${origin.slice(-5)}_${(events += 1)}`,
  ) {
    const body = JSON.stringify({ id, object: 'event', type, data: { object } });
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripeSignature(body, at) };
    return { id, body, headers };
  }

  return {
    /** Pages that were created, oldest first. */
    sessions,
    /** Payments that were refunded by a request. */
    refunds,
    event: eventOf,
    billing,
    /** Somebody pays on a page, at a time in seconds. */
    complete,
    /** Number of replies that were delayed. */
    delayed: () => waiting,
    /** Delays replies about renewals until the promise is fulfilled. */
    hold(until: Promise<void> | undefined) {
      held = until;
    },
    environment: {
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API: origin,
    },
    /** Refuses every request from now on, or none. */
    break(isSo = true) {
      isBroken = isSo;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
