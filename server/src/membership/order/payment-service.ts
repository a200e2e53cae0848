import { createHash } from 'node:crypto';
import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Clock, Log } from '../../foundation/index.ts';
import type { PaidBy } from '../invoice/index.ts';
import type { Orders } from './order-service.ts';
import { orderStore } from './order-store.ts';
import type { OrderRow } from './order.ts';
import { paymentStore as store } from './payment-store.ts';
import type { Money, PaymentEvent, PaymentRow, PaymentService, PaymentWays } from './payment.ts';
import type { Renewals } from './renewal-service.ts';

export interface CheckoutAsked {
  readonly locale: Locale;
  readonly origin: string;
  /** Language in the address of the member's page; undefined if it has none. */
  readonly prefix: Locale | undefined;
}

/** Online payments of orders. */
export interface Payments {
  readonly ways: PaymentWays;
  /** True while a payment service waits for the money for an order. */
  isPending(order: OrderRow): Promise<boolean>;
  /**
   * Returns the address of a page on which the order can be paid: the same one as before while that can be used. Throws
   * `not_found`, `order_not_open` or `unavailable`.
   */
  begin(order: OrderRow, asked: CheckoutAsked): Promise<string>;
  /** Closes the pages on which an order could be paid, as far as the payment service can be reached. */
  end(order: OrderRow): Promise<void>;
  /**
   * Returns the money for an order through the payment service with which it was paid, once, however often it is called.
   * Returns false if it wasn't paid with one. Throws `unavailable`.
   */
  returnMoney(order: OrderRow): Promise<boolean>;
  /**
   * Takes an event of the payment service, which has its effect once, however often and in whichever order events
   * arrive. Throws `invalid_argument` if the service didn't sign it.
   */
  take(body: Uint8Array, signature: string): Promise<void>;
  /** Does what follows from news of the payment service that came in another way than by an event. */
  learn(news: PaymentEvent['news']): Promise<void>;
  /** The way in which an order was paid. */
  paidBy(order: OrderRow): Promise<PaidBy>;
  /** Payments of an account, oldest first. */
  ofAccount(account: string): Promise<PaymentRow[]>;
  /** Removes the memory of old events. */
  forgetOld(): Promise<void>;
}

interface Parts {
  database: Database;
  orders: Orders;
  ways: PaymentWays;
  renewals: Pick<Renewals, 'isActive' | 'refresh'>;
  clock: Clock;
  log: Log;
}

/** A page that can be used for less than this is not handed out any more. */
const ENOUGH_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
/** Stripe repeats an event for some days, and lets people send it again for a month. */
const REMEMBERED_MS = 60 * 24 * 3600 * 1000;

export function createPayments({ database, orders, ways, renewals, clock, log }: Parts): Payments {
  const usable = (all: Awaited<ReturnType<typeof store.checkouts>>) =>
    all.find(({ state, expiresAt }) => state === 'open' && expiresAt > clock.now() + ENOUGH_MS);

  /** Notes a payment and pays its order, both once. */
  async function receive(tx: Tx, money: Money): Promise<void> {
    const { payment, checkout, currency, amount } = money;
    const about = { order: money.order, payment };
    const order = await orderStore.byId(tx, money.order);
    if (!order) {
      log.warn(about, 'a payment arrived for an order that does not exist');
      return;
    }
    if (order.currency !== currency || order.amount !== amount) {
      log.error({ ...about, currency, amount }, 'a payment differs from the price of its order');
      return;
    }
    await store.moveCheckout(tx, checkout, 'paid');
    const row: PaymentRow = {
      id: payment,
      account: order.account,
      order: order.id,
      state: 'paid',
      isSettling: false,
      currency,
      amount,
      receivedAt: clock.now(),
    };
    if (!(await store.insertPayment(tx, row))) return;
    const outcome = await orders.confirm(order);
    // The account is being erased. Nothing may be written about it; the next attempt will not find the order.
    if (!outcome) throw new ApiFailure('unavailable');
    if (outcome.isChanged) await store.setSettling(tx, payment);
    else log.error(about, 'an order was paid twice: refund this payment');
  }

  async function giveBack(tx: Tx, money: Money): Promise<void> {
    // The event about the payment may arrive later, and then changes nothing.
    if (!(await store.payment(tx, money.payment))) await receive(tx, money);
    if (!(await store.setRefunded(tx, money.payment))) return;
    const payment = (await store.payment(tx, money.payment))!;
    const order = await orderStore.byId(tx, payment.order);
    if (order && payment.isSettling) await orders.refund(order);
  }

  async function apply(tx: Tx, news: PaymentEvent['news']): Promise<void> {
    switch (news?.kind) {
      case 'paid':
        return receive(tx, news);
      case 'refunded':
        return giveBack(tx, news);
      case 'pending':
      case 'failed':
      case 'ended':
        return store.moveCheckout(tx, news.checkout, news.kind);
      case 'renewal':
        return news.state && store.moveCheckout(tx, news.checkout, news.state);
      case 'unclear':
        log.warn(
          { order: news.order, payment: news.payment },
          'a payment is disputed or was refunded in part: its order stays as it is',
        );
        return undefined;
      default:
        return undefined;
    }
  }

  /** Asks for the renewal that news are about, and does what follows. The rest is done by {@link apply}. */
  async function ask(news: PaymentEvent['news']): Promise<void> {
    if (news?.kind === 'renewal') await renewals.refresh(news.subscription);
    // Payments of renewals don't say to which order they belong. What follows from a refund depends on whether a later
    // term was paid.
    if (news?.kind !== 'refunded' || news.order !== '') return;
    const subscription = await ways.service?.renewalOf(news.payment);
    if (subscription !== undefined) await renewals.refresh(subscription);
  }

  /**
   * Cancels the member's other open orders that would let the same plan renew, and closes their pages: otherwise, the
   * plan could renew twice. Throws `renewal_exists`, or `order_not_open` if one of them is being paid.
   */
  async function requireOnly(service: PaymentService, { id, account, plan }: OrderRow): Promise<void> {
    if (await renewals.isActive(database, account, plan)) throw new ApiFailure('renewal_exists');
    for (const other of await orderStore.ofAccount(database, account)) {
      if (!other.renews || other.renewal !== '' || other.plan !== plan || other.id === id) continue;
      if (other.state === 'open') await orders.cancel(other);
      for (const { id: checkout, state, expiresAt } of await store.checkouts(database, other.id)) {
        if (state === 'pending') throw new ApiFailure('order_not_open');
        if (state !== 'open' || expiresAt <= clock.now() - DAY_MS) continue;
        if (!(await service.close(checkout))) {
          await learn(await service.ask(checkout));
          throw new ApiFailure('order_not_open');
        }
        await database.transaction((tx) => store.moveCheckout(tx, checkout, 'ended'));
      }
    }
  }

  async function learn(news: PaymentEvent['news']): Promise<void> {
    await ask(news);
    await database.transaction((tx) => tx.join(() => apply(tx, news)));
  }

  return {
    ways,
    learn,

    async isPending({ id, state }) {
      if (!ways.service || state === 'paid' || state === 'refunded') return false;
      return (await store.checkouts(database, id)).some((checkout) => checkout.state === 'pending');
    },

    async begin(order, { locale, origin, prefix }) {
      const { service } = ways;
      if (!service) throw new ApiFailure('not_found');
      const before = await store.checkouts(database, order.id);
      if (order.state !== 'open' || before.some(({ state }) => state === 'pending'))
        throw new ApiFailure('order_not_open');
      if (order.renews) await requireOnly(service, order);
      const known = usable(before);
      if (known) return known.url;
      const returnTo = `${origin}${prefix === undefined ? '' : `/${prefix}`}/drive/payment/orders/${order.id}`;
      const content = createHash('sha256').update(`${locale} ${returnTo}`).digest('base64url');
      const key = `${order.id}.${before.length}.${content}`;
      const made = await service.open(order, { locale, returnTo, key });
      const first = await database.transaction(async (tx) => {
        await tx.lock(`order:${order.account}`);
        const other = usable(await store.checkouts(tx, order.id));
        if (other) return other;
        if ((await orderStore.byId(tx, order.id))?.state !== 'open') return undefined;
        if (order.renews && (await renewals.isActive(tx, order.account, order.plan))) return undefined;
        await store.insertCheckout(tx, made, { order: order.id, account: order.account, at: clock.now() });
        return made;
      });
      // Another request, in another language for example, was faster, or the order was canceled. Nobody gets the address
      // of this page.
      if (first?.id !== made.id) await service.close(made.id).catch(() => {});
      if (!first) throw new ApiFailure('order_not_open');
      return first.url;
    },

    async end({ id }) {
      for (const checkout of await store.checkouts(database, id))
        if (checkout.state === 'open' && checkout.expiresAt > clock.now())
          await ways.service?.close(checkout.id).catch(() => {});
    },

    async returnMoney({ id, renewal }) {
      const payment = (await store.ofOrder(database, id)).find(({ isSettling }) => isSettling);
      if (!payment || !ways.service) return false;
      const subscription = renewal === '' ? undefined : await ways.service.renewalOf(payment.id);
      if (subscription !== undefined) await renewals.refresh(subscription);
      await ways.service.refund(payment.id);
      return true;
    },

    async take(body, signature) {
      if (!ways.service) throw new ApiFailure('not_found');
      const event = await ways.service.read(body, signature);
      if (await store.isNoted(database, event.id)) return;
      await ask(event.news);
      await database.transaction(async (tx) => {
        if (await store.noteEvent(tx, event.id, clock.now())) await tx.join(() => apply(tx, event.news));
      });
    },

    async paidBy({ id }) {
      const isOnline = (await store.ofOrder(database, id)).some(({ isSettling }) => isSettling);
      return isOnline ? 'online' : 'transfer';
    },

    ofAccount: (account) => store.ofAccount(database, account),
    forgetOld: () => database.transaction((tx) => store.forgetEvents(tx, clock.now() - REMEMBERED_MS)),
  };
}
