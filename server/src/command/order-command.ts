import { parseArgs } from 'node:util';
import { formatPrice, isApiFailure, ORDER_STATES, textIn, type OrderState } from '@bowerbird/contract';
import type { App } from '../app.ts';
import { dayOf } from './argument.ts';
import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import { orderInvoices } from './order-invoices.ts';
import type { Config } from '../foundation/index.ts';
import { readReference, type OrderRow, type Outcome } from '../membership/index.ts';

type Action = (app: App, words: readonly string[], isAll: boolean, say: Say) => Promise<void>;

const PAGE = 500;

const priceOf = ({ currency, amount }: OrderRow): string => formatPrice('en-US', currency, amount);

/** `VIP, 1 month`. */
function contentOf({ name, months, days }: OrderRow): string {
  const [length, unit] = months > 0 ? [months, 'month'] : [days, 'day'];
  return `${textIn(name, 'en-US')}, ${length} ${unit}${length === 1 ? '' : 's'}`;
}

async function buyer(app: App, { account: id }: OrderRow): Promise<string> {
  const account = await app.accounts.find(app.database, id);
  return account?.email || account?.phone || id;
}

async function orderOf(app: App, reference: string | undefined): Promise<OrderRow> {
  if (!reference) throw new CommandMistake('Which order? Add its reference. order list shows them.');
  const order = await app.orders.byReference(readReference(reference));
  if (!order) throw new CommandMistake(`There’s no order ${reference}. order list --all shows every order.`);
  return order;
}

/** Returns the changed order; throws a CommandMistake with its state if it wasn't changed. */
function changed(outcome: Outcome | undefined, reference: string): OrderRow {
  if (!outcome) throw new CommandMistake(`The order ${reference} was deleted together with its account.`);
  if (outcome.isChanged) return outcome.order;
  const { state } = outcome.order;
  throw new CommandMistake(
    `Nothing was changed: the order ${reference} is ${state === 'open' ? 'not paid' : state}.`,
  );
}

/** Returns the money of an order that was paid online; false if it was paid in another way. */
async function returnMoney(app: App, order: OrderRow): Promise<boolean> {
  try {
    return await app.payments.returnMoney(order);
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    throw new CommandMistake(
      `Nothing was changed: Stripe didn’t return the money for the order ${order.reference}. The log above says why.`,
    );
  }
}

const actions: Readonly<Record<string, Action>> = {
  async list(app, _words, isAll, say) {
    const states: readonly OrderState[] = isAll ? ORDER_STATES : ['open'];
    let count = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await app.orders.page(states, after, PAGE);
      for (const order of page.filter(({ state }) => states.includes(state))) {
        const { reference, createdAt, state } = order;
        say(
          [
            reference,
            dayOf(createdAt),
            state,
            priceOf(order),
            contentOf(order),
            await buyer(app, order),
          ].join('  '),
        );
        count += 1;
      }
      after = page.length === PAGE ? page.at(-1)!.id : undefined;
    }
    if (count === 0) say(isAll ? 'No orders.' : 'No open orders.');
  },

  async renewals(app, _words, isAll, say) {
    let count = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await app.renewals.page(after, PAGE);
      for (const renewal of page.filter(({ endedAt }) => isAll || endedAt === undefined)) {
        const { createdAt, state, order, nextAt, paidUntil } = renewal;
        const next = state === 'active' ? nextAt : paidUntil;
        const when = next === undefined ? '' : `${state === 'active' ? 'next' : 'until'} ${dayOf(next)}`;
        const parts = [priceOf(order), contentOf(order), when, await buyer(app, order)];
        say([dayOf(createdAt), state, ...parts].filter(Boolean).join('  '));
        count += 1;
      }
      after = page.length === PAGE ? page.at(-1)!.id : undefined;
    }
    if (count === 0) say('No renewals.');
  },

  async confirm(app, [reference], _isAll, say) {
    const found = await orderOf(app, reference);
    if (found.kind === 'plan' && !app.plans.find(found.plan))
      throw new CommandMistake(
        `The plan ${found.plan} isn’t in external_products any more, so this order can’t be fulfilled. Add the plan again, or return the money.`,
      );
    const order = changed(await app.orders.confirm(found), found.reference);
    // Otherwise it could be paid online as well.
    await app.payments.end(order);
    const who = await buyer(app, order);
    say(`The order ${order.reference} is paid: ${priceOf(order)} by ${who} for ${contentOf(order)}.`);
  },

  async cancel(app, [reference], _isAll, say) {
    const found = await orderOf(app, reference);
    const order = changed(await app.orders.cancel(found), found.reference);
    await app.payments.end(order);
    say(`The order ${order.reference} is canceled.`);
  },

  async refund(app, [reference], _isAll, say) {
    const found = await orderOf(app, reference);
    const isReturned = found.state === 'paid' && (await returnMoney(app, found));
    const order = changed(await app.orders.refund(found), found.reference);
    const who = await buyer(app, order);
    say(`The order ${order.reference} is refunded, and ${contentOf(order)} has ended for ${who}.`);
    say(
      isReturned
        ? `Stripe returns the money: ${priceOf(order)}.`
        : `Return the money yourself: ${priceOf(order)}.`,
    );
  },
};

/** `order list|renewals|confirm|cancel|refund|invoices`. */
export async function orderCommand(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      out: { type: 'string' },
      language: { type: 'string' },
    },
  });
  const [name = '', ...words] = positionals;
  if (name === 'invoices') {
    const asked = { reference: words.join('') || undefined, out: values.out, language: values.language };
    await withApp(config, (app) => orderInvoices(app, asked, say));
    return;
  }
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CommandMistake(`Usage: order ${[...Object.keys(actions), 'invoices'].join('|')}`);
  await withApp(config, (app) => action(app, [words.join('')].filter(Boolean), values.all, say));
}
