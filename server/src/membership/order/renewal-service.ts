import { ApiFailure, formatPrice, textIn, type Locale } from '@bowerbird/contract';
import type { Accounts, Notices } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { timeText, type Clock, type Config, type Ids, type Log } from '../../foundation/index.ts';
import { isReserve, schedule, type Benefits } from '../plan/index.ts';
import type { Orders } from './order-service.ts';
import { orderStore } from './order-store.ts';
import type { OrderRow } from './order.ts';
import { endingStore } from './payment-ending-store.ts';
import { paymentStore } from './payment-store.ts';
import type { PaymentService } from './payment.ts';
import type { Extensions } from './renewal-extension-service.ts';
import { renewalStore as store } from './renewal-store.ts';
import { isRenewing, type PaidInvoice, type RemoteRenewal, type RenewalRow } from './renewal.ts';

/** A renewal with what a member wants to know about it. */
export interface Renewal extends RenewalRow {
  /** Order that started it. */
  readonly order: OrderRow;
  /** Until when the plan is paid for; undefined if that is over. */
  readonly paidUntil: number | undefined;
}

/** Plans that a payment service charges again at the end of each term. Each paid term is an order. */
export interface Renewals {
  /** True if the account has a renewal that will be charged again; of the plan, if one is given. */
  isActive(sql: Sql, account: string, plan?: string): Promise<boolean>;
  /** Renewals of an account that haven't ended, newest first; all of them if asked. */
  list(account: string, all?: boolean): Promise<Renewal[]>;
  /** Renewals of all members, oldest first, after the one with the given id. */
  page(after: string, limit: number): Promise<Renewal[]>;
  /** Stops the renewal. The plan stays until its paid end. Throws `not_found` or `unavailable`. */
  cancel(account: string, id: string): Promise<Renewal>;
  /** Takes that back. Throws `not_found`, `renewal_ended`, `renewal_exists` or `unavailable`. */
  resume(account: string, id: string): Promise<Renewal>;
  /** Address of a page on which the way of paying can be changed. Throws `not_found`, `renewal_ended` or `unavailable`. */
  settings(account: string, id: string, wish: { locale: Locale; returnTo: string }): Promise<string>;
  /**
   * Asks the payment service for the present state of a renewal and does what follows: each paid invoice pays an order
   * once. May be called at any time, in any order and in parallel, with the same result. Throws `unavailable`.
   */
  refresh(subscription: string): Promise<void>;
}

interface Parts {
  database: Database;
  service: PaymentService | undefined;
  orders: Pick<Orders, 'collect'>;
  extensions: Extensions;
  benefits: Benefits;
  accounts: Pick<Accounts, 'find'>;
  notices: Pick<Notices, 'tell'>;
  config: Pick<Config, 'SITE_URL'>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

type RenewalNotice = 'renewalFailed' | 'renewalCanceled';

const DEFAULT_LOCALE: Locale = 'en-US';

export function createRenewals(parts: Parts): Renewals {
  const { database, service, orders, extensions, benefits, accounts, notices, config, clock, ids, log } =
    parts;

  /** End of what is paid for, which may be past; undefined if it doesn't end. */
  async function paidEnd(sql: Sql, { account, plan }: RenewalRow): Promise<number | undefined> {
    const now = clock.now();
    const all = (await benefits.list(sql, account)).filter(
      (one) => one.plan === plan && !isReserve(one, now),
    );
    const ends = schedule(all)
      .filter(({ cause, revokedAt }) => cause !== 'renewal' && revokedAt === undefined)
      .map(({ endsAt = Infinity }) => endsAt);
    const last = Math.max(0, ...ends);
    return last === Infinity ? undefined : last;
  }

  async function described(sql: Sql, renewal: RenewalRow): Promise<Renewal | undefined> {
    const order = await orderStore.byId(sql, renewal.firstOrder);
    const end = (await paidEnd(sql, renewal)) ?? 0;
    return order && { ...renewal, order, paidUntil: end > clock.now() ? end : undefined };
  }

  async function allOf(rows: readonly RenewalRow[]): Promise<Renewal[]> {
    const all = await Promise.all(rows.map((row) => described(database, row)));
    return all.filter((one) => one !== undefined);
  }

  async function tell(tx: Tx, renewal: RenewalRow, notice: RenewalNotice): Promise<void> {
    const account = await accounts.find(tx, renewal.account);
    const about = await described(tx, renewal);
    if (!account || !about) return;
    const { name, currency, amount } = about.order;
    const locale = account.locale ?? DEFAULT_LOCALE;
    await notices.tell(tx, account, notice, {
      product: textIn(name, locale),
      price: formatPrice(locale, currency, amount),
      date: timeText((await paidEnd(tx, renewal)) || clock.now()).slice(0, 10),
      link: config.SITE_URL === undefined ? '' : `${config.SITE_URL}/drive/payment`,
    });
  }

  /** Pays an order with an invoice. Returns the order; undefined if that has happened before. */
  async function collect(
    tx: Tx,
    renewal: { id: string; first: OrderRow },
    invoice: PaidInvoice,
  ): Promise<OrderRow | undefined> {
    const { first } = renewal;
    const { payment, currency, amount } = invoice;
    const about = { order: first.id, invoice: invoice.id, currency, amount };
    if (currency !== first.currency || amount < 0) {
      log.error(about, 'an invoice of a renewal has another currency than its order');
      return undefined;
    }
    const outcome = await orders.collect(renewal, invoice);
    // The account is being erased. Nothing may be written about it; the next attempt will not find the order.
    if (!outcome) throw new ApiFailure('unavailable');
    const { order, isChanged } = outcome;
    if (!isChanged) return undefined;
    if (amount !== first.amount) log.warn(about, 'an invoice of a renewal differs from the agreed price');
    const { account, id } = order;
    if (payment !== '')
      await paymentStore.insertPayment(tx, {
        ...{ id: payment, account, order: id, state: 'paid', isSettling: true },
        ...{ currency, amount, receivedAt: clock.now() },
      });
    return order;
  }

  function begun(remote: RemoteRenewal, first: OrderRow): RenewalRow {
    const now = clock.now();
    return {
      id: ids.next(),
      account: first.account,
      subscription: remote.subscription,
      firstOrder: first.id,
      lastOrder: first.id,
      plan: first.plan,
      state: 'active',
      nextAt: remote.nextAt,
      told: '',
      asks: 0,
      answered: 0,
      askedAt: now,
      createdAt: now,
      endedAt: undefined,
    };
  }

  /** Notes the state, unless it is older than the known one, and tells the member what is new for them. */
  async function follow(
    tx: Tx,
    before: RenewalRow,
    remote: RemoteRenewal,
    asked: number,
  ): Promise<RenewalRow> {
    const isOlder = asked < before.answered || before.endedAt !== undefined;
    const after: RenewalRow = isOlder
      ? before
      : {
          ...before,
          state: remote.state,
          nextAt: isRenewing(remote) ? remote.nextAt : undefined,
          told: remote.state === 'past_due' ? remote.unpaid : '',
          answered: asked,
          endedAt: remote.state === 'ended' ? clock.now() : undefined,
        };
    if (!isOlder) await store.setState(tx, after.id, after);
    await extensions.settle(tx, after);
    if (after.told !== '' && after.told !== before.told) await tell(tx, after, 'renewalFailed');
    if (isRenewing(before) && !isRenewing(after)) await tell(tx, after, 'renewalCanceled');
    return after;
  }

  /** Returns false if the renewal began meanwhile, so that its state has to be asked for again. */
  async function apply(tx: Tx, remote: RemoteRenewal, asked: number | undefined): Promise<boolean> {
    const about = { order: remote.order, subscription: remote.subscription };
    const first = await orderStore.byId(tx, remote.order);
    if (!first?.renews) {
      log.warn(about, 'a renewal belongs to no order');
      return true;
    }
    await tx.lock(`order:${first.account}`);
    const known = await store.bySubscription(tx, remote.subscription);
    if (known && asked === undefined) return false;
    // A first payment that fails, or takes days, begins nothing.
    if (!known && remote.paid.length === 0) return true;
    const isDouble = !known && (await extensions.has(tx, first.account, first.plan));
    const before = known ?? begun(remote, first);
    if (!known) await store.insert(tx, before);
    let { lastOrder } = before;
    for (const invoice of remote.paid)
      lastOrder = (await collect(tx, { id: before.id, first }, invoice))?.id ?? lastOrder;
    if (lastOrder !== before.lastOrder) await store.setLastOrder(tx, before.id, lastOrder);
    await follow(tx, { ...before, lastOrder }, remote, asked ?? 0);
    if (isDouble) {
      log.error(about, 'the plan renews already: the second renewal is canceled after its first term');
      await endingStore.insert(tx, { id: remote.subscription, kind: 'renewing', dueAt: clock.now() });
    }
    return true;
  }

  async function refresh(subscription: string): Promise<void> {
    if (!service) throw new ApiFailure('not_found');
    for (;;) {
      const asked = await database.transaction((tx) => store.ask(tx, subscription, clock.now()));
      const remote = await service.renewal(subscription);
      if (!remote || remote.order === '') return;
      if (await database.transaction((tx) => tx.join(() => apply(tx, remote, asked)))) return;
    }
  }

  async function get(account: string, id: string): Promise<Renewal> {
    const row = await store.find(database, account, id);
    const renewal = row && (await described(database, row));
    if (!renewal) throw new ApiFailure('not_found');
    return renewal;
  }

  async function usable(account: string, id: string): Promise<[Renewal, PaymentService]> {
    const renewal = await get(account, id);
    if (!service) throw new ApiFailure('not_found');
    if (renewal.endedAt !== undefined) throw new ApiFailure('renewal_ended');
    return [renewal, service];
  }

  return {
    isActive: extensions.has,

    list: async (account, all = false) =>
      allOf((await store.ofAccount(database, account)).filter(({ endedAt }) => all || endedAt === undefined)),

    page: async (after, limit) => allOf(await store.page(database, after, limit)),

    async cancel(account, id) {
      const renewal = await get(account, id);
      if (!isRenewing(renewal) || !service) return renewal;
      await service.setRenewing(renewal.subscription, false);
      await refresh(renewal.subscription);
      return get(account, id);
    },

    async resume(account, id) {
      const [{ plan, state, subscription }, remote] = await usable(account, id);
      if (state !== 'canceled') return get(account, id);
      const others = async (): Promise<RenewalRow[]> =>
        (await store.ofAccount(database, account)).filter(
          (one) => one.id !== id && one.plan === plan && isRenewing(one),
        );
      if ((await others()).length > 0) throw new ApiFailure('renewal_exists');
      await remote.setRenewing(subscription, true);
      await refresh(subscription);
      if ((await others()).length === 0) return get(account, id);
      // Another one was resumed or begun meanwhile: the plan must not be charged twice.
      await remote.setRenewing(subscription, false);
      await refresh(subscription);
      throw new ApiFailure('renewal_exists');
    },

    async settings(account, id, wish) {
      const [{ subscription }, remote] = await usable(account, id);
      return remote.openSettings(subscription, wish);
    },

    refresh,
  };
}
