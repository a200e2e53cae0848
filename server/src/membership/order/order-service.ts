import { ApiFailure, formatPrice, textIn, type Locale, type OrderState } from '@bowerbird/contract';
import type { Accounts, Notices } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { timeText, type Clock, type Config, type Ids } from '../../foundation/index.ts';
import type { InvoiceRow, Invoices, PaidBy } from '../invoice/index.ts';
import type { Benefits } from '../plan/index.ts';
import { orderStore } from './order-store.ts';
import { drawReference, MOST_OPEN, TIME_TO_PAY_MS, type OrderRow } from './order.ts';
import { paymentStore } from './payment-store.ts';
import type { Catalog, CatalogProduct, ProductTerm } from './product.ts';
import type { PriceAt } from './sale.ts';

/** An order and whether the call has changed it; a repeated call hasn't. */
export interface Outcome {
  readonly order: OrderRow;
  readonly isChanged: boolean;
}

/**
 * Orders of members. A payment grants its benefit exactly once, in the transaction that marks the order as paid; a
 * refund ends the benefit in the same way.
 */
export interface Orders {
  /**
   * Throws `not_found` if it isn't for sale in the currency, `order_limit` if too many orders are open, and
   * `renewal_exists` if it is to renew and the plan does so already.
   */
  create(account: string, wish: OrderWish): Promise<OrderRow>;
  /** Newest first. */
  list(account: string, limit?: number): Promise<OrderRow[]>;
  /** Throws `not_found`. */
  get(account: string, id: string): Promise<OrderRow>;
  /** Cancels an open order of the account; throws `not_found`. */
  cancelOwn(account: string, id: string): Promise<OrderRow>;
  /** Orders of all members in some states, oldest first, after the one with the given id. */
  page(states: readonly OrderState[], after: string, limit: number): Promise<OrderRow[]>;
  /** Orders of all members, in one state if it is given, newest first, before the one with the given id. */
  newest(place: { state?: OrderState; before?: string; limit: number }): Promise<OrderRow[]>;
  byId(id: string): Promise<OrderRow | undefined>;
  byReference(reference: string): Promise<OrderRow | undefined>;
  /** The money has arrived. Undefined if the order doesn't exist any more; the same holds for the others. */
  confirm(order: OrderRow): Promise<Outcome | undefined>;
  cancel(order: OrderRow): Promise<Outcome | undefined>;
  /** An invoice of a renewal was paid. Pays the order that started it, or another one for a further term, once. */
  collect(renewal: RenewalOf, invoice: Collected): Promise<Outcome | undefined>;
  /** The money was returned. */
  refund(order: OrderRow): Promise<Outcome | undefined>;
  /** Ends the orders that were not paid in time. */
  expireDue(): Promise<void>;
}

export interface OrderWish {
  readonly product: string;
  readonly term: string;
  readonly currency: string;
  readonly renews?: boolean | undefined;
}

/** A renewal, with the order that started it. */
export interface RenewalOf {
  readonly id: string;
  readonly first: OrderRow;
}

/** A paid invoice of a renewal. */
export interface Collected {
  /** The payment service's id. */
  readonly id: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
}

interface Parts {
  database: Database;
  catalog: Catalog;
  priceAt: PriceAt;
  benefits: Benefits;
  invoices: Pick<Invoices, 'issue' | 'credit'>;
  accounts: Pick<Accounts, 'find'>;
  notices: Pick<Notices, 'tell'>;
  config: Pick<Config, 'SITE_URL'>;
  /** Called last in the transaction in which an order is paid or refunded. */
  friends: {
    paid(tx: Tx, order: OrderRow): Promise<void>;
    refunded(tx: Tx, order: OrderRow): Promise<void>;
  };
  clock: Clock;
  ids: Ids;
  /** Asks and tells the renewals, which are made of orders. */
  renewals: {
    /** True if the account has a renewal of the plan that will be charged again. */
    has(sql: Sql, account: string, plan: string): Promise<boolean>;
    /** An order of a renewal was refunded. */
    onRefund(tx: Tx, order: OrderRow): Promise<void>;
  };
}

type OrderNotice = 'orderPlaced' | 'orderPaid' | 'orderRefunded' | 'renewalPaid';

const DEFAULT_LOCALE: Locale = 'en-US';

export function createOrders(parts: Parts): Orders {
  const {
    database,
    catalog,
    priceAt,
    benefits,
    invoices,
    accounts,
    notices,
    friends,
    config,
    clock,
    ids,
    renewals,
  } = parts;

  /** An order of which the time to pay is over has expired, even before the job has written it down. */
  const current = (order: OrderRow): OrderRow =>
    order.state === 'open' && order.expiresAt <= clock.now()
      ? { ...order, state: 'expired', endedAt: order.expiresAt }
      : order;

  async function insert(
    tx: Tx,
    account: string,
    [product, term, currency, renews]: readonly [CatalogProduct, ProductTerm, string, boolean],
  ): Promise<OrderRow> {
    await tx.lock(`order:${account}`);
    if (renews && (await renewals.has(tx, account, product.plan?.id ?? '')))
      throw new ApiFailure('renewal_exists');
    const now = clock.now();
    const order: OrderRow = {
      id: ids.next(),
      account,
      reference: '',
      state: 'open',
      product: product.id,
      term: term.id,
      kind: product.kind,
      name: product.name,
      plan: product.plan?.id ?? '',
      bytes: product.bytes,
      months: term.months,
      days: term.days,
      length: term.length,
      currency,
      amount: priceAt(product, term, now).prices[currency]!,
      renews,
      renewal: '',
      invoice: undefined,
      createdAt: now,
      expiresAt: now + TIME_TO_PAY_MS,
      paidAt: undefined,
      endedAt: undefined,
    };
    const open = await orderStore.open(tx, account, now);
    const same = open.find((one) => agreed(one) === agreed(order));
    if (same) return same;
    if (open.length >= MOST_OPEN) throw new ApiFailure('order_limit', { most: String(MOST_OPEN) });
    const placed = await insertWithReference(tx, order);
    await tell(tx, placed, 'orderPlaced');
    return placed;
  }

  /** Draws another reference if it is taken. */
  async function insertWithReference(tx: Tx, order: OrderRow): Promise<OrderRow> {
    const row = { ...order, reference: drawReference() };
    return (await orderStore.insert(tx, row)) ? row : insertWithReference(tx, order);
  }

  /** Sends a mail about an order, and about its invoice or credit note if there is one. */
  async function tell(tx: Tx, order: OrderRow, notice: OrderNotice, invoice?: InvoiceRow): Promise<void> {
    const account = await accounts.find(tx, order.account);
    if (!account) return;
    const locale = account.locale ?? DEFAULT_LOCALE;
    await notices.tell(tx, account, notice, {
      product: textIn(order.name, locale),
      price: formatPrice(locale, order.currency, order.amount),
      reference: order.reference,
      date: timeText(order.expiresAt).slice(0, 10),
      document: invoice?.kind ?? 'none',
      number: invoice?.code ?? '',
      link: config.SITE_URL === undefined ? '' : `${config.SITE_URL}/drive/payment/orders/${order.id}`,
    });
  }

  async function grant(tx: Tx, { id, account, kind, plan, bytes, length }: OrderRow): Promise<void> {
    await benefits.grant(tx, { account, kind, plan, bytes, length, cause: 'order', reference: id });
  }

  /** Payments of a payment service are noted before they pay their order. */
  async function paidBy(tx: Tx, { id, renewal }: OrderRow): Promise<PaidBy> {
    return renewal !== '' || (await paymentStore.ofOrder(tx, id)).length > 0 ? 'online' : 'transfer';
  }

  async function revoke(tx: Tx, { id, account }: OrderRow): Promise<void> {
    const all = await benefits.list(tx, account);
    const granted = all.find(({ cause, reference }) => cause === 'order' && reference === id);
    if (granted) await benefits.revoke(tx, account, granted.id);
  }

  /** Moves an order to a state, with what follows from that; without effect if it is in the wrong state. */
  const settle = (
    { account, id }: OrderRow,
    to: 'paid' | 'canceled' | 'refunded',
    follow: (tx: Tx, order: OrderRow) => Promise<void> = async () => {},
  ): Promise<Outcome | undefined> =>
    database.transaction(async (tx) => {
      // A page to pay the order must not be opened at the same time.
      if (to === 'canceled') await tx.lock(`order:${account}`);
      const isChanged = await orderStore.move(tx, id, to, clock.now());
      const order = await orderStore.find(tx, account, id);
      if (!order) return undefined;
      if (isChanged) await follow(tx, order);
      return { order: current(order), isChanged };
    });

  const pay = (order: OrderRow, notice: OrderNotice): Promise<Outcome | undefined> =>
    settle(order, 'paid', async (tx, paid) => {
      await grant(tx, paid);
      const invoice = await invoices.issue(tx, paid, await paidBy(tx, paid));
      await tell(tx, paid, notice, invoice);
      await friends.paid(tx, paid);
    });

  async function get(account: string, id: string): Promise<OrderRow> {
    const order = await orderStore.find(database, account, id);
    if (!order) throw new ApiFailure('not_found');
    return current(order);
  }

  return {
    async create(account, { product: productId, term: termId, currency, renews = false }) {
      const product = catalog.products.find(({ id }) => id === productId);
      const term = product?.terms.find(({ id }) => id === termId);
      if (!product || !term || !Object.hasOwn(term.prices, currency)) throw new ApiFailure('not_found');
      if (renews && !term.renews) throw new ApiFailure('not_found');
      return database.transaction((tx) => insert(tx, account, [product, term, currency, renews]));
    },
    list: async (account, limit) => (await orderStore.ofAccount(database, account, limit)).map(current),
    get,
    async cancelOwn(account, id) {
      const outcome = await settle(await get(account, id), 'canceled');
      if (!outcome) throw new ApiFailure('not_found');
      return outcome.order;
    },
    page: async (states, after, limit) =>
      (await orderStore.page(database, { states, after, limit })).map(current),
    newest: async (place) => (await orderStore.newest(database, place)).map(current),
    async byId(id) {
      const order = await orderStore.byId(database, id);
      return order && current(order);
    },
    async byReference(reference) {
      const order = await orderStore.byReference(database, reference);
      return order && current(order);
    },
    confirm: (order) => pay(order, 'orderPaid'),
    collect: ({ id: renewal, first }, { id: invoice, amount }) =>
      database.transaction(async (tx) => {
        await tx.lock(`order:${first.account}`);
        const known = await orderStore.byInvoice(tx, invoice);
        if (known) return { order: known, isChanged: false };
        if (await orderStore.setRenewal(tx, first.id, { renewal, invoice, amount }))
          return tx.join(() => pay(first, 'orderPaid'));
        const further = { ...first, id: ids.next(), state: 'open' as const, amount, renewal, invoice };
        const now = clock.now();
        const times = { createdAt: now, expiresAt: now + TIME_TO_PAY_MS, paidAt: undefined };
        const order = await insertWithReference(tx, { ...further, ...times, endedAt: undefined });
        return tx.join(() => pay(order, 'renewalPaid'));
      }),
    cancel: (order) => settle(order, 'canceled'),
    refund: (order) =>
      settle(order, 'refunded', async (tx, refunded) => {
        await revoke(tx, refunded);
        if (refunded.renewal !== '') await renewals.onRefund(tx, refunded);
        const creditNote = await invoices.credit(tx, refunded);
        await tell(tx, refunded, 'orderRefunded', creditNote);
        await friends.refunded(tx, refunded);
      }),
    expireDue: () => database.transaction((tx) => orderStore.expire(tx, clock.now())),
  };
}

/** Text of what was agreed in an order; two orders with the same are one order that was sent twice. */
const agreed = (order: OrderRow): string =>
  JSON.stringify([
    order.product,
    order.term,
    order.plan,
    order.bytes,
    order.length,
    order.currency,
    order.amount,
    order.renews,
  ]);
