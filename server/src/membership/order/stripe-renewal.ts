import type { Locale, RenewalState } from '@bowerbird/contract';
import type Stripe from 'stripe';
import type { PaymentService } from './payment.ts';
import type { PaidInvoice } from './renewal.ts';
import { fromStripe } from './stripe-amount.ts';
import { found, idOf, LOCALES } from './stripe-object.ts';

type Ask = <R>(what: string, request: (stripe: Stripe) => Promise<R>) => Promise<R>;
type StripeRenewals = Pick<
  PaymentService,
  'renewal' | 'renewalOf' | 'setRenewing' | 'endRenewal' | 'openSettings'
>;

/** Invoices of a renewal that are looked at: more than can be missed while a server is down. */
const INVOICES = 24;
/** Invoices of other kinds, for example of a change in the dashboard, don't pay for a whole term. */
const WHOLE_TERM: ReadonlySet<unknown> = new Set(['subscription_create', 'subscription_cycle']);

/** Renewals with Stripe's subscriptions. */
export function createStripeRenewals(ask: Ask): StripeRenewals {
  return {
    renewal: (id) =>
      ask('ask about a renewal', async (stripe) => {
        const subscription = await found(stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }));
        if (!subscription) return undefined;
        const { data } = await stripe.invoices.list({
          subscription: id,
          status: 'paid',
          limit: INVOICES,
          expand: ['data.payments'],
        });
        const { latest_invoice: latest, items, metadata } = subscription;
        const isUnpaid = latest !== null && typeof latest === 'object' && latest.status === 'open';
        const ends = items.data.map((item) => item.current_period_end);
        return {
          subscription: id,
          order: metadata['order'] ?? '',
          state: stateOf(subscription),
          nextAt: ends.length > 0 ? Math.min(...ends) * 1000 : undefined,
          unpaid: isUnpaid ? (latest.id ?? '') : '',
          paid: data
            .filter((invoice) => WHOLE_TERM.has(invoice.billing_reason))
            .toSorted((a, b) => a.created - b.created || a.period_end - b.period_end)
            .map(paidInvoice),
        };
      }),

    renewalOf: (payment) =>
      ask('ask about a payment', async (stripe) => {
        const { data } = await stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: payment },
          expand: ['data.invoice'],
        });
        const invoice = data[0]?.invoice;
        const isKnown = invoice !== undefined && typeof invoice === 'object' && !('deleted' in invoice);
        return isKnown ? subscriptionOf(invoice) || undefined : undefined;
      }),

    setRenewing: (id, isRenewing) =>
      ask(isRenewing ? 'resume a renewal' : 'cancel a renewal', async (stripe) => {
        const subscription = await found(stripe.subscriptions.retrieve(id));
        const state = subscription && stateOf(subscription);
        if (!state || state === 'ended' || isRenewing === (state !== 'canceled')) return;
        if (state === 'past_due') {
          await stripe.subscriptions.cancel(id);
          return;
        }
        // A date that was set in the dashboard has to be removed in another way.
        const hasDate = isRenewing && !subscription.cancel_at_period_end;
        await stripe.subscriptions.update(
          id,
          hasDate ? { cancel_at: '' } : { cancel_at_period_end: !isRenewing },
        );
      }),

    endRenewal: (id) =>
      ask('end a renewal', async (stripe) => {
        const subscription = await found(stripe.subscriptions.retrieve(id));
        if (subscription && stateOf(subscription) !== 'ended') await stripe.subscriptions.cancel(id);
      }),

    openSettings: (id, { locale, returnTo }: { locale: Locale; returnTo: string }) =>
      ask('open the page about the way of paying', async (stripe) => {
        const { customer } = await stripe.subscriptions.retrieve(id);
        const { url } = await stripe.billingPortal.sessions.create({
          customer: idOf(customer),
          flow_data: {
            type: 'payment_method_update',
            after_completion: { type: 'redirect', redirect: { return_url: returnTo } },
          },
          locale: LOCALES[locale],
          return_url: returnTo,
        });
        return url;
      }),
  };
}

function stateOf(subscription: Stripe.Subscription): RenewalState {
  const { status, cancel_at: endsAt, cancel_at_period_end: endsAfterTerm } = subscription;
  if (status === 'canceled' || status === 'incomplete_expired') return 'ended';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  return endsAfterTerm || endsAt !== null ? 'canceled' : 'active';
}

/**
 * Id of the subscription that an invoice is for; "" for none. Events may have an older form, because it depends on the
 * version that was set at the webhook.
 */
export function subscriptionOf(invoice: Stripe.Invoice): string {
  const older = (invoice as { subscription?: string | { id: string } | null }).subscription;
  return idOf(invoice.parent?.subscription_details?.subscription ?? older);
}

function paidInvoice({ id, currency: code, total, payments }: Stripe.Invoice): PaidInvoice {
  const currency = code.toUpperCase();
  const paid = payments?.data.find(({ status }) => status === 'paid') ?? payments?.data[0];
  return {
    id: id ?? '',
    payment: idOf(paid?.payment.payment_intent),
    currency,
    amount: fromStripe(currency, total),
  };
}
