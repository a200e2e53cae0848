const MONTH_SECONDS = 31 * 24 * 3600;

export interface StripeInvoice {
  readonly id: string;
  readonly payment: string;
  readonly reason: string;
  readonly created: number;
  readonly total: number;
  status: 'paid' | 'open';
}

/** A subscription at Stripe, which the test moves on. */
export interface StripeSubscription {
  readonly id: string;
  readonly order: string;
  readonly currency: string;
  readonly price: number;
  readonly invoices: StripeInvoice[];
  status: 'active' | 'past_due' | 'canceled';
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  periodEnd: number;
}

/** Stripe's objects of a subscription and its invoices, with the fields that matter. */
export const stripeBillingObjects = {
  subscription: (one: StripeSubscription) => ({
    id: one.id,
    object: 'subscription',
    customer: `cus_${one.id}`,
    status: one.status,
    cancel_at: one.cancelAt ?? (one.cancelAtPeriodEnd ? one.periodEnd : null),
    cancel_at_period_end: one.cancelAtPeriodEnd,
    metadata: { order: one.order },
    items: { object: 'list', data: [{ current_period_end: one.periodEnd }] },
    latest_invoice: stripeBillingObjects.invoice(one, one.invoices.at(-1)!),
  }),
  invoice: ({ id, currency }: StripeSubscription, invoice: StripeInvoice) => ({
    id: invoice.id,
    object: 'invoice',
    status: invoice.status,
    billing_reason: invoice.reason,
    created: invoice.created,
    currency,
    total: invoice.total,
    period_end: invoice.created,
    parent: { type: 'subscription_details', subscription_details: { subscription: id } },
    payments: {
      object: 'list',
      data: [
        { status: invoice.status, payment: { type: 'payment_intent', payment_intent: invoice.payment } },
      ],
    },
  }),
  /** Charge of an invoice that was refunded. It doesn't say to which order it belongs. */
  charge: ({ currency }: StripeSubscription, { id, payment, total }: StripeInvoice) => ({
    ...{ id: `ch_${id}`, object: 'charge', payment_intent: payment, refunded: true },
    ...{ currency, amount: total, metadata: {} },
  }),
};

/** The part of the stand-in that has subscriptions, invoices and the pages on which members change how they pay. */
export function stripeBilling() {
  const all: StripeSubscription[] = [];
  /** Addresses to which the pages about the way of paying lead back. */
  const settings: URLSearchParams[] = [];
  let count = 0;

  function charge(one: StripeSubscription, status: StripeInvoice['status'], reason = 'subscription_cycle') {
    const id = `${one.id}_${one.invoices.length + 1}`;
    const created = one.periodEnd;
    const invoice = { id: `in_${id}`, payment: `pi_${id}`, reason, created, total: one.price, status };
    one.invoices.push(invoice);
    one.periodEnd += MONTH_SECONDS;
    one.status = status === 'paid' ? 'active' : 'past_due';
    return invoice;
  }

  return {
    all,
    settings,

    /** Begins what the form of a payment page has, at a time in seconds. */
    begin(form: URLSearchParams, at: number): StripeSubscription {
      const subscription: StripeSubscription = {
        id: `sub_${(count += 1)}`,
        order: form.get('subscription_data[metadata][order]') ?? '',
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        price: Number(form.get('line_items[0][price_data][unit_amount]')),
        invoices: [],
        status: 'active',
        cancelAtPeriodEnd: false,
        cancelAt: null,
        periodEnd: at,
      };
      charge(subscription, 'paid', 'subscription_create');
      all.push(subscription);
      return subscription;
    },

    /** The next term begins, and is charged. */
    charge,

    /** The charge that failed succeeds. */
    recover(one: StripeSubscription): StripeInvoice {
      const invoice = one.invoices.at(-1)!;
      invoice.status = 'paid';
      one.status = 'active';
      return invoice;
    },

    /** Replies to a request; undefined if there is no such object. */
    answer(method: string, { pathname, searchParams }: URL, form: URLSearchParams): object | undefined {
      const [, , noun, id = ''] = pathname.split('/');
      if (noun === 'billing_portal') {
        settings.push(form);
        return { id: 'bps_1', object: 'billing_portal.session', url: form.get('return_url') };
      }
      if (noun === 'invoice_payments') {
        const payment = searchParams.get('payment[payment_intent]');
        const one = all.find(({ invoices }) => invoices.some((invoice) => invoice.payment === payment));
        const invoice = one?.invoices.find((each) => each.payment === payment);
        const data = one && invoice ? [{ invoice: stripeBillingObjects.invoice(one, invoice) }] : [];
        return { object: 'list', data, has_more: false };
      }
      if (noun === 'invoices') {
        const one = all.find((each) => each.id === searchParams.get('subscription'));
        const paid = one?.invoices.filter(({ status }) => status === 'paid') ?? [];
        const data = paid.toReversed().map((invoice) => stripeBillingObjects.invoice(one!, invoice));
        return { object: 'list', data, has_more: false };
      }
      const one = all.find((each) => each.id === id);
      if (!one) return undefined;
      if (method === 'DELETE') one.status = 'canceled';
      if (form.has('cancel_at_period_end'))
        one.cancelAtPeriodEnd = form.get('cancel_at_period_end') === 'true';
      if (form.has('cancel_at')) one.cancelAt = null;
      return stripeBillingObjects.subscription(one);
    },
  };
}
