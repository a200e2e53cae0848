import type { Accounts, Notices } from '../../account/index.ts';
import type { Domain, Foundation } from '../../foundation/domain/index.ts';
import type { Shield } from '../../shield/index.ts';
import type { Invoices } from '../invoice/index.ts';
import type { Benefits } from '../plan/index.ts';
import { mountDocuments } from './document-routes.ts';
import { ORDERING, PAYING, PRINTING } from './order-limits.ts';
import { mountOrders } from './order-routes.ts';
import { createOrders, type Orders } from './order-service.ts';
import { mountPaymentEvents } from './payment-routes.ts';
import { createLostEvents } from './lost-event-service.ts';
import { createEndings, type Endings } from './payment-ending-service.ts';
import { createPayments, type Payments } from './payment-service.ts';
import type { PaymentService } from './payment.ts';
import type { Catalog } from './product.ts';
import { createExtensions } from './renewal-extension-service.ts';
import { mountRenewals } from './renewal-routes.ts';
import { createRenewals, type Renewals } from './renewal-service.ts';
import { pricesWith, type Sale } from './sale.ts';
import { createStripeService } from './stripe.ts';

export type { Orders, Outcome } from './order-service.ts';
export { orderStore } from './order-store.ts';
export { orderView } from './order-view.ts';
export { readReference, type OrderRow } from './order.ts';
export { createStripeService } from './stripe.ts';
export { paymentStore } from './payment-store.ts';
export type { Payments } from './payment-service.ts';
export type { Renewal, Renewals } from './renewal-service.ts';
export { renewalStore } from './renewal-store.ts';
export { readCatalog, type Catalog } from './product.ts';
export { readSale, type Sale } from './sale.ts';

interface Parts extends Foundation {
  catalog: Catalog;
  sales: readonly Sale[];
  benefits: Benefits;
  invoices: Invoices;
  /** Time for which storage stays after the end of a term. */
  graceMs: number;
  accounts: Pick<Accounts, 'find'>;
  notices: Pick<Notices, 'tell'>;
  friends: Parameters<typeof createOrders>[0]['friends'];
  shield: Shield;
}

const STRIPE = 'https://api.stripe.com';
const EVERY_MS = 60_000;
const HOUR_MS = 3600 * 1000;

function serviceOf({ config, clock, log }: Foundation): PaymentService | undefined {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API: api = STRIPE,
  } = config;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return createStripeService({ secretKey, webhookSecret, api, clock, log });
}

/** Plans and storage for money. */
export interface Sales extends Domain {
  readonly orders: Orders;
  readonly payments: Payments;
  readonly renewals: Renewals;
  readonly endings: Endings;
}

export function createSales({ catalog, sales, benefits, invoices, graceMs, shield, ...parts }: Parts): Sales {
  const priceAt = pricesWith(sales);
  const extensions = createExtensions({ benefits, graceMs, clock: parts.clock });
  const orders = createOrders({ ...parts, catalog, priceAt, benefits, invoices, renewals: extensions });
  // Also without products: what was bought before may still be charged, refunded or ended.
  const service = serviceOf(parts);
  const ways = { bank: catalog.bank, service: catalog.products.length > 0 ? service : undefined };
  const renewals = createRenewals({ ...parts, service, orders, extensions, benefits });
  const payments = createPayments({ ...parts, orders, ways, renewals });
  const endings = createEndings({ ...parts, service });
  const lostEvents = createLostEvents({ ...parts, service, payments, renewals });
  const ordering = shield.guard('order', ORDERING);
  const paying = shield.guard('payment', PAYING);
  const printing = shield.guard('order-document', PRINTING);
  return {
    orders,
    payments,
    renewals,
    endings,
    mount({ api, http }) {
      mountOrders(api, {
        orders,
        invoices,
        payments,
        catalog,
        priceAt,
        clock: parts.clock,
        database: parts.database,
        benefits,
        ordering,
        paying,
      });
      mountRenewals(api, { renewals, paying });
      mountDocuments(http, { orders, payments, invoices, printing });
      if (ways.service) mountPaymentEvents(http, payments);
    },
    define(jobs) {
      if (service) {
        jobs.define('forget-payment-events', () => payments.forgetOld(), { everyMs: HOUR_MS });
        jobs.define('end-payments', (_payload, { signal }) => endings.run(signal), { everyMs: EVERY_MS });
        jobs.define('ask-payments', (_payload, { signal }) => lostEvents.ask(signal), { everyMs: HOUR_MS });
      }
      jobs.define('expire-orders', () => orders.expireDue(), { everyMs: EVERY_MS });
    },
  };
}
