import { isUsable, type Accounts } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Invitations as Offer } from '../offer/index.ts';
import type { Benefits } from '../plan/index.ts';
import { daysForInviter, FRIEND_ORDER, type Purchase } from './invitation.ts';
import { daysFromInvitations } from './invitation-days.ts';
import { purchaseStore as store } from './purchase-store.ts';

/** An order, as far as the person who invited the buyer is concerned. */
export interface BuyersOrder {
  readonly id: string;
  readonly account: string;
}

/**
 * Days that inviters get for the first purchase of somebody they invited. The transaction of the payment only notes it:
 * so a payment never waits for the inviter, and locks are taken in one order.
 */
export interface PurchaseRewards {
  /** Call it last in the transaction in which an order is paid. */
  paid(tx: Tx, order: BuyersOrder): Promise<void>;
  /** Call it last in the transaction in which an order is refunded. */
  refunded(tx: Tx, order: BuyersOrder): Promise<void>;
  /** Grants inviters the days that are due, and takes back those for refunded orders. */
  rewardDue(signal: AbortSignal): Promise<void>;
  /** Does the same for one inviter. */
  rewardFor(inviter: string): Promise<void>;
}

const AT_ONCE = 200;
const NOW = 20;

interface Parts {
  database: Database;
  accounts: Pick<Accounts, 'find'>;
  benefits: Benefits;
  /** Undefined if invitations are not rewarded. */
  offer: Offer | undefined;
  /** Returns true if the account has paid another order before. */
  hasPaidBefore: (sql: Sql, order: BuyersOrder) => Promise<boolean>;
  clock: Clock;
  ids: Ids;
}

export function createPurchaseRewards({
  database,
  accounts,
  benefits,
  offer,
  hasPaidBefore,
  clock,
  ids,
}: Parts): PurchaseRewards {
  const days = offer?.purchaseDays ?? 0;

  async function give(tx: Tx, purchase: Purchase): Promise<void> {
    const { account, inviter, invitation } = purchase;
    if (!offer || days === 0) return;
    // The sum of days must not be read by two rewards at the same time.
    await tx.lock(`invitations:${inviter}`);
    for (const one of [account, inviter]) if (!isUsable(await accounts.find(tx, one))) return;
    const left = daysForInviter(days, offer.mostDays, daysFromInvitations(await benefits.list(tx, inviter)));
    if (!(await store.settle(tx, purchase, { state: 'rewarded', days: left }))) return;
    if (left > 0)
      await benefits.grantDays(tx, inviter, {
        plan: offer.plan,
        days: left,
        cause: FRIEND_ORDER,
        reference: invitation,
      });
  }

  async function takeBack(tx: Tx, purchase: Purchase): Promise<void> {
    const { inviter, invitation } = purchase;
    if (!(await store.settle(tx, purchase, { state: 'closed', days: 0 }))) return;
    const given = (await benefits.list(tx, inviter)).find(
      ({ cause, reference }) => cause === FRIEND_ORDER && reference === invitation,
    );
    if (given) await benefits.revoke(tx, inviter, given.id);
  }

  const settle = (purchase: Purchase): Promise<void> =>
    database.transaction((tx) => (purchase.state === 'paid' ? give(tx, purchase) : takeBack(tx, purchase)));

  return {
    async paid(tx, order) {
      if (days === 0 || (await hasPaidBefore(tx, order))) return;
      await store.note(tx, order.account, { order: order.id, id: ids.next(), at: clock.now() });
    },

    refunded: (tx, { account, id }) => store.refund(tx, account, id),

    async rewardDue(signal) {
      for (let after = '', more = true; more;) {
        const due = await store.due(database, { after, limit: AT_ONCE });
        for (const purchase of due) {
          signal.throwIfAborted();
          await settle(purchase);
        }
        after = due.at(-1)?.invitation ?? '';
        more = due.length === AT_ONCE;
      }
    },

    async rewardFor(inviter) {
      for (const purchase of await store.due(database, { after: '', limit: NOW, inviter }))
        await settle(purchase);
    },
  };
}
