import { ApiFailure, orderApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Invoices } from '../invoice/index.ts';
import type { Benefits } from '../plan/index.ts';
import type { Orders } from './order-service.ts';
import type { Payments } from './payment-service.ts';
import { bankView, heldView, limitsView, orderView, productView } from './order-view.ts';
import { currencyFor } from './order.ts';
import type { Catalog } from './product.ts';
import type { PriceAt } from './sale.ts';

interface Parts {
  orders: Orders;
  invoices: Pick<Invoices, 'ofAccount'>;
  payments: Payments;
  catalog: Catalog;
  priceAt: PriceAt;
  clock: Clock;
  database: Database;
  benefits: Benefits;
  /** Limits how often a member orders. */
  ordering: Guard;
  /** Limits how often a member opens pages of the payment service. */
  paying: Guard;
}

const LISTED = 100;

export function mountOrders(
  api: Api,
  { orders, invoices, payments, catalog, priceAt, clock, database, benefits, ordering, paying }: Parts,
): void {
  const { bank, service } = payments.ways;

  api.handle(orderApi.products, async ({ viewer, caller: { locale, country } }) => {
    const held = viewer ? await benefits.held(database, viewer.account) : [];
    return {
      products: catalog.products.map((product) =>
        productView(product, (term) => priceAt(product, term, clock.now()), locale),
      ),
      currencies: [...catalog.currencies],
      currency: currencyFor(catalog.currencies, country, locale),
      plans: held.map(({ plan }) => plan.id),
      held: held.map((one) => heldView(one, locale)),
      free: limitsView(benefits.least),
    };
  });

  api.handle(orderApi.create, async ({ body, viewer, caller }) => {
    await ordering.attempt(viewer.account, caller.address);
    return orderView(await orders.create(viewer.account, body), caller.locale);
  });

  api.handle(orderApi.list, async ({ viewer, caller }) => {
    const issued = await invoices.ofAccount(viewer.account);
    const listed = await orders.list(viewer.account, LISTED);
    return { orders: listed.map((order) => orderView(order, caller.locale, issued)) };
  });

  api.handle(orderApi.get, async ({ params, viewer, caller: { locale } }) => {
    if (!bank && !service) throw new ApiFailure('not_found');
    const order = await orders.get(viewer.account, params.id);
    return {
      order: orderView(order, locale, await invoices.ofAccount(viewer.account)),
      // Only the payment service can charge again.
      bank_transfer: bank && !order.renews ? bankView(bank, locale) : null,
      online: service !== undefined,
      pending: await payments.isPending(order),
    };
  });

  api.handle(orderApi.pay, async ({ params, body, viewer, caller: { locale, origin, address } }) => {
    const order = await orders.get(viewer.account, params.id);
    await paying.attempt(viewer.account, address);
    return { url: await payments.begin(order, { locale, origin, prefix: body.prefix }) };
  });

  api.handle(orderApi.cancel, async ({ params, viewer, caller }) => {
    const order = await orders.cancelOwn(viewer.account, params.id);
    if (order.state === 'canceled') await payments.end(order);
    return orderView(order, caller.locale, await invoices.ofAccount(viewer.account));
  });
}
