import type { Accounts, Notices } from '../../account/index.ts';
import type { Domain, Foundation } from '../../foundation/domain/index.ts';
import type { Shield } from '../../shield/index.ts';
import type { Benefits } from '../plan/index.ts';
import { ORDERING, PAYING } from './order-limits.ts';
import { mountOrders } from './order-routes.ts';
import { createOrders, type Orders } from './order-service.ts';
import { mountPaymentEvents } from './payment-routes.ts';
import { createPayments, type Payments } from './payment-service.ts';
import type { PaymentService } from './payment.ts';
import type { Catalog } from './product.ts';
import { createStripeService } from './stripe.ts';

export type { Orders, Outcome } from './order-service.ts';
export { orderStore } from './order-store.ts';
export { orderView } from './order-view.ts';
export { readReference, type OrderRow } from './order.ts';
export { paymentStore } from './payment-store.ts';
export type { Payments } from './payment-service.ts';
export { readCatalog, type Catalog } from './product.ts';

interface Parts extends Foundation {
  catalog: Catalog;
  benefits: Benefits;
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
export function createSales({
  catalog,
  benefits,
  shield,
  ...parts
}: Parts): Domain & { readonly orders: Orders; readonly payments: Payments } {
  const orders = createOrders({ ...parts, catalog, benefits });
  const ways = { bank: catalog.bank, service: catalog.products.length > 0 ? serviceOf(parts) : undefined };
  const payments = createPayments({ ...parts, orders, ways });
  const ordering = shield.guard('order', ORDERING);
  const paying = shield.guard('payment', PAYING);
  return {
    orders,
    payments,
    mount({ api, http }) {
      mountOrders(api, {
        orders,
        payments,
        catalog,
        database: parts.database,
        benefits,
        ordering,
        paying,
      });
      if (ways.service) mountPaymentEvents(http, payments);
    },
    define(jobs) {
      if (ways.service)
        jobs.define('forget-payment-events', () => payments.forgetOld(), { everyMs: HOUR_MS });
      jobs.define('expire-orders', () => orders.expireDue(), { everyMs: EVERY_MS });
    },
  };
}
