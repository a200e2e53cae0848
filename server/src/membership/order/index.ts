import type { Accounts, Notices } from '../../account/index.ts';
import type { Domain, Foundation } from '../../foundation/domain/index.ts';
import type { Shield } from '../../shield/index.ts';
import type { Benefits } from '../plan/index.ts';
import { ORDERING } from './order-limits.ts';
import { mountOrders } from './order-routes.ts';
import { createOrders, type Orders } from './order-service.ts';
import type { Catalog } from './product.ts';

export type { Orders, Outcome } from './order-service.ts';
export { orderStore } from './order-store.ts';
export { readReference, type OrderRow } from './order.ts';
export { readCatalog, type Catalog } from './product.ts';

interface Parts extends Foundation {
  catalog: Catalog;
  benefits: Benefits;
  accounts: Pick<Accounts, 'find'>;
  notices: Pick<Notices, 'tell'>;
  shield: Shield;
}

const EVERY_MS = 60_000;

/** Plans and storage for money. */
export function createSales({
  catalog,
  benefits,
  shield,
  ...parts
}: Parts): Domain & { readonly orders: Orders } {
  const orders = createOrders({ ...parts, catalog, benefits });
  const ordering = shield.guard('order', ORDERING);
  return {
    orders,
    mount({ api }) {
      mountOrders(api, { orders, catalog, database: parts.database, benefits, ordering });
    },
    define(jobs) {
      jobs.define('expire-orders', () => orders.expireDue(), { everyMs: EVERY_MS });
    },
  };
}
