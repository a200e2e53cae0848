import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Clock, Log } from '../../foundation/index.ts';
import { endingStore, type Ending } from './payment-ending-store.ts';
import { paymentStore } from './payment-store.ts';
import type { PaymentService } from './payment.ts';
import { renewalStore } from './renewal-store.ts';

/** Ends pages and renewals at the payment service, as soon as it can be reached. */
export interface Endings {
  /** Notes what has to be ended for an account that is being erased, which must not be charged any more. */
  forAccount(tx: Tx, account: string): Promise<void>;
  /** Ends what is due. */
  run(signal: AbortSignal): Promise<void>;
}

const AT_ONCE = 50;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3600 * 1000;

export function createEndings({
  database,
  service,
  clock,
  log,
}: {
  database: Database;
  service: PaymentService | undefined;
  clock: Clock;
  log: Log;
}): Endings {
  async function end({ id, kind }: Ending): Promise<void> {
    if (kind === 'checkout') await service?.abandon(id);
    else if (kind === 'renewal') await service?.endRenewal(id);
    else await service?.setRenewing(id, false);
  }

  return {
    async forAccount(tx, account) {
      const dueAt = clock.now();
      for (const { id } of await paymentStore.unfinished(tx, account))
        await endingStore.insert(tx, { id, kind: 'checkout', dueAt });
      for (const { subscription, endedAt } of await renewalStore.ofAccount(tx, account))
        if (endedAt === undefined) await endingStore.insert(tx, { id: subscription, kind: 'renewal', dueAt });
    },

    async run(signal) {
      // An attempt that fails is due later, and waits for the next run.
      const now = clock.now();
      for (;;) {
        const due = await endingStore.due(database, now, AT_ONCE);
        if (due.length === 0) return;
        for (const ending of due) {
          signal.throwIfAborted();
          try {
            await end(ending);
            await database.transaction((tx) => endingStore.remove(tx, ending));
          } catch (error) {
            const tries = ending.tries + 1;
            const wait = Math.min(FIRST_WAIT_MS * 2 ** ending.tries, LONGEST_WAIT_MS);
            log.error({ err: error, id: ending.id, tries }, 'could not end a payment; it is tried again');
            await database.transaction((tx) =>
              endingStore.postpone(tx, ending.id, { tries, dueAt: clock.now() + wait }),
            );
          }
        }
      }
    },
  };
}
