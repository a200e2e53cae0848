import { ApiFailure, orderApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Benefits } from '../plan/index.ts';
import type { Orders } from './order-service.ts';
import { bankView, limitsView, orderView, productView } from './order-view.ts';
import { currencyFor } from './order.ts';
import type { Catalog } from './product.ts';

interface Parts {
  orders: Orders;
  catalog: Catalog;
  database: Database;
  benefits: Benefits;
  /** Limits how often a member orders. */
  ordering: Guard;
}

const LISTED = 100;

export function mountOrders(api: Api, { orders, catalog, database, benefits, ordering }: Parts): void {
  api.handle(orderApi.products, async ({ viewer, caller: { locale, country } }) => ({
    products: catalog.products.map((product) => productView(product, locale)),
    currencies: [...catalog.currencies],
    currency: currencyFor(catalog.currencies, country, locale),
    plans: viewer ? (await benefits.held(database, viewer.account)).map(({ plan }) => plan.id) : [],
    free: limitsView(benefits.least),
  }));

  api.handle(orderApi.create, async ({ body, viewer, caller }) => {
    await ordering.attempt(viewer.account, caller.address);
    return orderView(await orders.create(viewer.account, body), caller.locale);
  });

  api.handle(orderApi.list, async ({ viewer, caller }) => ({
    orders: (await orders.list(viewer.account, LISTED)).map((order) => orderView(order, caller.locale)),
  }));

  api.handle(orderApi.get, async ({ params, viewer, caller: { locale } }) => {
    if (!catalog.bank) throw new ApiFailure('not_found');
    const order = await orders.get(viewer.account, params.id);
    return { order: orderView(order, locale), bank_transfer: bankView(catalog.bank, locale) };
  });

  api.handle(orderApi.cancel, async ({ params, viewer, caller }) =>
    orderView(await orders.cancelOwn(viewer.account, params.id), caller.locale),
  );
}
