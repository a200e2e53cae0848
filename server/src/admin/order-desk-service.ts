import { ApiFailure, type OrderState } from '@bowerbird/contract';
import type { Accounts } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import {
  readReference,
  type OrderRow,
  type Orders,
  type Outcome,
  type Payments,
  type Plans,
} from '../membership/index.ts';

/** An order with its buyer's email address, or phone number. */
export interface DeskOrder {
  readonly order: OrderRow;
  readonly buyer: string;
}

/** Orders for administrators; each call throws `not_found` if the order doesn't exist. */
export interface OrderDesk {
  /** Newest first. */
  list(place: { state?: OrderState; before?: string; limit: number }): Promise<DeskOrder[]>;
  /** Finds the order with a reference, or the newest orders of the member with an email address. */
  search(text: string, state: OrderState | undefined): Promise<DeskOrder[]>;
  /** Also returns the id of the online payment that paid it, or "", and whether one is pending. */
  get(id: string): Promise<DeskOrder & { payment: string; isPending: boolean }>;
  /** The money has arrived. Throws `order_plan_missing` if the plan that was ordered doesn't exist any more. */
  confirm(id: string): Promise<DeskOrder & { isChanged: boolean }>;
  cancel(id: string): Promise<DeskOrder & { isChanged: boolean }>;
  /** Returns the money of an online payment first; throws `unavailable`, without any effect, if that fails. */
  refund(id: string): Promise<DeskOrder & { isChanged: boolean; isReturned: boolean }>;
}

const MOST_FOUND = 100;

interface Parts {
  database: Database;
  accounts: Pick<Accounts, 'find' | 'byEmail'>;
  orders: Orders;
  payments: Payments;
  plans: Plans;
}

export function createOrderDesk({ database, accounts, orders, payments, plans }: Parts): OrderDesk {
  async function shown(order: OrderRow): Promise<DeskOrder> {
    const account = await accounts.find(database, order.account);
    return { order, buyer: account?.email || account?.phone || '' };
  }

  async function known(id: string): Promise<OrderRow> {
    const order = await orders.byId(id);
    if (!order) throw new ApiFailure('not_found');
    return order;
  }

  async function outcomeOf(outcome: Outcome | undefined): Promise<DeskOrder & { isChanged: boolean }> {
    if (!outcome) throw new ApiFailure('not_found');
    return { ...(await shown(outcome.order)), isChanged: outcome.isChanged };
  }

  async function paymentOf({ id, account }: OrderRow): Promise<string> {
    const all = await payments.ofAccount(account);
    return all.find(({ order, isSettling }) => order === id && isSettling)?.id ?? '';
  }

  async function found(text: string): Promise<OrderRow[]> {
    if (!text.includes('@')) {
      const order = await orders.byReference(readReference(text));
      return order ? [order] : [];
    }
    const account = await accounts.byEmail(database, text.trim());
    return account ? orders.list(account.id, MOST_FOUND) : [];
  }

  return {
    list: async (place) => Promise.all((await orders.newest(place)).map(shown)),

    search: async (text, state) =>
      Promise.all(
        (await found(text)).filter((order) => state === undefined || order.state === state).map(shown),
      ),

    async get(id) {
      const order = await known(id);
      return {
        ...(await shown(order)),
        payment: await paymentOf(order),
        isPending: await payments.isPending(order),
      };
    },

    async confirm(id) {
      const order = await known(id);
      if (order.kind === 'plan' && !plans.find(order.plan)) throw new ApiFailure('order_plan_missing');
      const outcome = await outcomeOf(await orders.confirm(order));
      // Otherwise it could be paid online as well.
      if (outcome.isChanged) await payments.end(outcome.order);
      return outcome;
    },

    async cancel(id) {
      const outcome = await outcomeOf(await orders.cancel(await known(id)));
      if (outcome.isChanged) await payments.end(outcome.order);
      return outcome;
    },

    async refund(id) {
      const order = await known(id);
      const isReturned = order.state === 'paid' && (await payments.returnMoney(order));
      return { ...(await outcomeOf(await orders.refund(order))), isReturned };
    },
  };
}
