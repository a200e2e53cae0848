import type { Accounts } from '../../account/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Log } from '../../foundation/index.ts';
import { endingStore } from './payment-ending-store.ts';
import type { Payments } from './payment-service.ts';
import { paymentStore } from './payment-store.ts';
import type { PaymentService } from './payment.ts';
import { renewalStore } from './renewal-store.ts';
import type { Renewals } from './renewal-service.ts';
import { isRenewing, type RenewalRow } from './renewal.ts';

const AT_ONCE = 100;
const HOUR_MS = 3600 * 1000;
/** An event usually arrives within seconds. */
const USUAL_MS = 15 * 60 * 1000;
const ASK_PAGE_EVERY_MS = 6 * HOUR_MS;
const ASK_RENEWAL_EVERY_MS = 12 * HOUR_MS;
/** If this many questions in a row fail, the payment service has a problem. */
const MOST_FAILURES = 3;

interface Parts {
  database: Database;
  service: PaymentService | undefined;
  payments: Pick<Payments, 'learn'>;
  renewals: Pick<Renewals, 'refresh'>;
  accounts: Pick<Accounts, 'find'>;
  clock: Clock;
  log: Log;
}

/**
 * Asks the payment service what has become of pages and renewals about which no event came: after three days, it stops
 * sending one. What it says has the same effect as the event, once.
 */
export function createLostEvents(parts: Parts): { ask(signal: AbortSignal): Promise<void> } {
  const { database, service, payments, renewals, accounts, clock, log } = parts;

  async function askPage(id: string): Promise<void> {
    const news = await service?.ask(id);
    if (news) await payments.learn(news);
  }

  async function askRenewal({ account, subscription, state }: RenewalRow): Promise<void> {
    await renewals.refresh(subscription);
    const owner = await accounts.find(database, account);
    // Nobody who has closed their account expects another charge.
    if (owner?.closesAt === undefined || !isRenewing({ state })) return;
    await database.transaction((tx) =>
      endingStore.insert(tx, { id: subscription, kind: 'renewing', dueAt: clock.now() }),
    );
  }

  async function each<T>(find: () => Promise<T[]>, ask: (one: T) => Promise<void>, signal: AbortSignal) {
    let failures = 0;
    for (let found = await find(); found.length > 0; found = await find())
      for (const one of found) {
        signal.throwIfAborted();
        try {
          await ask(one);
          failures = 0;
        } catch (error) {
          log.warn({ err: error }, 'could not ask about a payment');
          if ((failures += 1) >= MOST_FAILURES) return;
        }
      }
  }

  return {
    async ask(signal) {
      const now = clock.now();
      const unasked = {
        now,
        askedBefore: now - ASK_PAGE_EVERY_MS,
        createdBefore: now - USUAL_MS,
        limit: AT_ONCE,
      };
      const pages = () => database.transaction((tx) => paymentStore.takeUnasked(tx, unasked));
      await each(pages, askPage, signal);
      const due = () =>
        renewalStore.toAsk(database, { before: now - ASK_RENEWAL_EVERY_MS, now, limit: AT_ONCE });
      await each(due, askRenewal, signal);
    },
  };
}
