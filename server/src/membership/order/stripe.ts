import { ApiFailure, textIn, type Locale } from '@bowerbird/contract';
import type Stripe from 'stripe';
import type { Clock, Log } from '../../foundation/index.ts';
import { message } from '../../foundation/index.ts';
import type { OrderRow } from './order.ts';
import type { Money, PaymentEvent, PaymentService } from './payment.ts';
import { fromStripe, toStripe } from './stripe-amount.ts';
import { found, idOf, LOCALES } from './stripe-object.ts';
import { createStripeRenewals, subscriptionOf } from './stripe-renewal.ts';

const TIMEOUT_MS = 10_000;
/** Age of a signature up to which an event is accepted; Stripe signs each attempt to deliver it anew. */
const TOLERANCE_SECONDS = 300;

interface Parts {
  secretKey: string;
  webhookSecret: string;
  /** Address of the API. */
  api: string;
  clock: Clock;
  log: Log;
}

/** Payment with Stripe Checkout. Card data is only entered on Stripe's pages. The library is loaded when it is needed. */
export function createStripeService({ secretKey, webhookSecret, api, clock, log }: Parts): PaymentService {
  let loading: Promise<Stripe> | undefined;
  async function load(): Promise<Stripe> {
    const { default: Library } = await import('stripe');
    const { protocol, hostname, port } = new URL(api);
    return new Library(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port === '' ? {} : { port }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }
  const client = (): Promise<Stripe> => (loading ??= load());

  /** Runs a request. What Stripe refuses or doesn't answer is for the administrator's log; members can only retry. */
  async function ask<R>(what: string, request: (stripe: Stripe) => Promise<R>): Promise<R> {
    try {
      return await request(await client());
    } catch (error) {
      log.error({ err: error }, `Stripe: could not ${what}`);
      throw new ApiFailure('unavailable');
    }
  }

  return {
    open: (order, { locale, returnTo, key }) =>
      ask('open a payment page', async (stripe) => {
        const amount = toStripe(order.currency, order.amount);
        if (amount === undefined) throw new Error(`${order.amount} ${order.currency} can't be charged`);
        const about = { order: order.id, reference: order.reference };
        const recurring = { interval: 'month', interval_count: order.months } as const;
        const session = await stripe.checkout.sessions.create(
          {
            client_reference_id: order.id,
            metadata: about,
            ...(order.renews
              ? {
                  mode: 'subscription',
                  subscription_data: { metadata: about, description: order.reference },
                }
              : {
                  mode: 'payment',
                  // A charge inherits this, so that a refund says which order it is about.
                  payment_intent_data: { metadata: about, description: order.reference },
                }),
            locale: LOCALES[locale],
            success_url: `${returnTo}?checkout=done`,
            cancel_url: returnTo,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: order.currency.toLowerCase(),
                  unit_amount: amount,
                  ...(order.renews ? { recurring } : {}),
                  product_data: { name: contentOf(order, locale) },
                },
              },
            ],
          },
          { idempotencyKey: key },
        );
        if (session.url === null) throw new Error('the payment page has no address');
        return { id: session.id, url: session.url, expiresAt: session.expires_at * 1000 };
      }),

    close: (checkout) =>
      ask('close a payment page', async (stripe) => {
        const { status } = await stripe.checkout.sessions.retrieve(checkout);
        if (status === 'open') await stripe.checkout.sessions.expire(checkout);
        return status !== 'complete';
      }),

    ask: (checkout) =>
      ask('ask about a payment page', async (stripe) => {
        const expand = ['payment_intent.latest_charge'];
        const session = await found(stripe.checkout.sessions.retrieve(checkout, { expand }));
        return session ? outcomeOf(session) : { kind: 'ended', checkout };
      }),

    abandon: (checkout) =>
      ask('close a payment page', async (stripe) => {
        const session = await found(stripe.checkout.sessions.retrieve(checkout));
        if (session?.status === 'open') await stripe.checkout.sessions.expire(checkout);
        if (session?.status !== 'complete') return;
        log.error({ checkout }, 'an erased member has paid: refund this payment at Stripe');
        const subscription = idOf(session.subscription);
        if (subscription !== '') await found(stripe.subscriptions.cancel(subscription));
      }),

    ...createStripeRenewals(ask),

    refund: (payment) =>
      ask('refund a payment', async (stripe) => {
        try {
          await stripe.refunds.create({ payment_intent: payment }, { idempotencyKey: `refund.${payment}` });
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'charge_already_refunded') throw error;
        }
      }),

    async read(body, signature) {
      const stripe = await client();
      let event: Stripe.Event;
      try {
        event = await stripe.webhooks.constructEventAsync(
          body,
          signature,
          webhookSecret,
          TOLERANCE_SECONDS,
          undefined,
          clock.now(),
        );
      } catch {
        throw new ApiFailure('invalid_argument', { field: 'stripe-signature', reason: 'not valid' });
      }
      return { id: event.id, type: event.type, news: newsOf(event) };
    },
  };
}

/** `VIP, 1 month`, in the member's language. */
function contentOf({ name, months, days }: OrderRow, locale: Locale): string {
  const term =
    months > 0
      ? message(locale, 'payment.months', { count: months })
      : message(locale, 'payment.days', { count: days });
  return `${textIn(name, locale)} · ${term}`;
}

function newsOf(event: Stripe.Event): PaymentEvent['news'] {
  switch (event.type) {
    case 'checkout.session.completed':
      return completed(event.data.object);
    case 'checkout.session.async_payment_succeeded':
      return completed({ ...event.data.object, payment_status: 'paid' });
    case 'checkout.session.async_payment_failed':
      return { kind: 'failed', checkout: event.data.object.id };
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return renewed(subscriptionOf(event.data.object));
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return renewed(event.data.object.id);
    case 'checkout.session.expired':
      return { kind: 'ended', checkout: event.data.object.id };
    case 'charge.refunded':
      return refunded(event.data.object);
    case 'charge.dispute.created': {
      const { payment_intent: payment, metadata } = event.data.object;
      return { kind: 'unclear', order: metadata['order'] ?? '', payment: idOf(payment) };
    }
    default:
      return undefined;
  }
}

const renewed = (subscription: string): PaymentEvent['news'] =>
  subscription === '' ? undefined : { kind: 'renewal', subscription, checkout: '', state: undefined };

/** News that a page which was filled in brings. */
function completed(session: Stripe.Checkout.Session): PaymentEvent['news'] {
  const { id: checkout, payment_status: status } = session;
  const state = status === 'unpaid' ? 'pending' : 'paid';
  const subscription = idOf(session.subscription);
  if (session.mode === 'subscription')
    return subscription === '' ? undefined : { kind: 'renewal', subscription, checkout, state };
  return state === 'pending' ? { kind: 'pending', checkout } : paid(session);
}

/** Fate of a page whose payment is expanded; undefined if that isn't known yet. */
function outcomeOf(session: Stripe.Checkout.Session): PaymentEvent['news'] {
  const { id: checkout, status, payment_intent: payment } = session;
  if (status === 'expired') return { kind: 'ended', checkout };
  if (status !== 'complete') return undefined;
  if (typeof payment !== 'object' || payment === null) return completed(session);
  const { latest_charge: charge } = payment;
  if (charge !== null && typeof charge === 'object' && charge.refunded) return refunded(charge);
  const hasFailed = payment.status === 'requires_payment_method' || payment.status === 'canceled';
  return hasFailed ? { kind: 'failed', checkout } : completed(session);
}

function paid(session: Stripe.Checkout.Session): Money {
  const currency = (session.currency ?? '').toUpperCase();
  return {
    kind: 'paid',
    order: session.metadata?.['order'] ?? '',
    payment: idOf(session.payment_intent) || session.id,
    checkout: session.id,
    currency,
    amount: fromStripe(currency, session.amount_total ?? 0),
  };
}

function refunded(charge: Stripe.Charge): PaymentEvent['news'] {
  const currency = charge.currency.toUpperCase();
  const order = charge.metadata['order'] ?? '';
  const payment = idOf(charge.payment_intent);
  if (!charge.refunded) return { kind: 'unclear', order, payment };
  const amount = fromStripe(currency, charge.amount);
  return { kind: 'refunded', order, payment, checkout: '', currency, amount };
}
