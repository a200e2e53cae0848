import { isUsable, maskedName, type Accounts } from '../../account/index.ts';
import { isUniqueViolation, type Database, type Sql, type Tx } from '../../foundation/database/index.ts';
import type { Clock, Log } from '../../foundation/index.ts';
import type { Invitations as Offer } from '../offer/index.ts';
import type { Benefits } from '../plan/index.ts';
import { daysFromInvitations, isForInviting } from './invitation-days.ts';
import { invitationStore } from './invitation-store.ts';
import { daysForInviter, drawInviteCode, WAITING_MS, type Invitation } from './invitation.ts';
import type { PurchaseRewards } from './purchase-service.ts';
import { purchaseStore, type InviterDay, type ListedReward } from './purchase-store.ts';

/** An invitation, or the reward for a purchase of the invited person, with that person's masked name. */
export interface ShownReward extends ListedReward {
  readonly name: string;
}

/** Codes with which members invite others, and the rewards for it. */
export interface Invites {
  /** Returns the member's code, which is created on first use and never changes. */
  codeOf(account: string): Promise<string>;
  /** Returns how many people a member has invited, and the days that they were given for all invitations. */
  sumsOf(account: string): Promise<{ invited: number; days: number }>;
  /** Lists whom a member has invited, and the rewards for their purchases, the newest first. */
  list(account: string, page: { offset: number; limit: number }): Promise<ShownReward[]>;
  /** Returns how many of the people whom a member has invited have bought something. */
  buyersOf(account: string): Promise<number>;
  /** Returns what happened on each day in a range of times; days on which nothing happened are missing. */
  daysOf(account: string, range: { from: number; before: number }): Promise<InviterDay[]>;
  /** Sums the days for inviting that a member was given in a range of times. */
  earnedIn(account: string, range: { from: number; before: number }): Promise<number>;
  /** Lists the invitations by an account, and the one that led to it, without names. */
  of(account: string): Promise<Invitation[]>;
  /** Returns who invited an account. */
  inviterOf(account: string): Promise<string | undefined>;
  /** Grants inviters their days for people who have stored something by now. */
  rewardDue(signal: AbortSignal): Promise<void>;
  /** Does the same for one inviter, who is about to read about it; leaves what can't be granted now to {@link rewardDue}. */
  rewardNow(inviter: string): Promise<void>;
}

const AT_ONCE = 200;
const NOW = 20;
const PAGE = 500;

interface Parts {
  database: Database;
  accounts: Pick<Accounts, 'find'>;
  benefits: Benefits;
  purchases: Pick<PurchaseRewards, 'rewardDue' | 'rewardFor'>;
  /** Undefined if invitations are not rewarded. */
  offer: Offer | undefined;
  clock: Clock;
  log: Log;
}

export function createInvites({
  database,
  accounts,
  benefits,
  purchases,
  offer,
  clock,
  log,
}: Parts): Invites {
  const daysOf = async (sql: Sql, account: string): Promise<number> =>
    daysFromInvitations(await benefits.list(sql, account));

  async function reward(tx: Tx, account: string, { plan, inviterDays, mostDays }: Offer): Promise<void> {
    const waiting = await invitationStore.find(tx, account);
    if (waiting?.state !== 'waiting') return;
    const { id, inviter } = waiting;
    // The sum of days must not be read by two rewards at the same time.
    await tx.lock(`invitations:${inviter}`);
    const invitation = await invitationStore.find(tx, account);
    if (invitation?.state !== 'waiting') return;
    for (const one of [account, inviter]) if (!isUsable(await accounts.find(tx, one))) return;
    const days = daysForInviter(inviterDays, mostDays, await daysOf(tx, inviter));
    if (days > 0) await benefits.grantDays(tx, inviter, { plan, days, cause: 'invite', reference: id });
    await invitationStore.settle(tx, account, 'rewarded', days, clock.now());
  }

  const nameOf = async (account: string): Promise<string> =>
    maskedName((await accounts.find(database, account))?.name ?? '');

  return {
    async codeOf(account) {
      for (;;) {
        const known = await invitationStore.codeOf(database, account);
        if (known !== undefined) return known;
        try {
          await database.transaction((tx) => invitationStore.proposeCode(tx, account, drawInviteCode()));
        } catch (error) {
          // The code is taken: try the next one.
          if (!isUniqueViolation(error)) throw error;
        }
      }
    },

    sumsOf: async (account) => ({
      invited: await invitationStore.count(database, account),
      days: await daysOf(database, account),
    }),

    async list(account, page) {
      const rows = await purchaseStore.list(database, account, page);
      return Promise.all(rows.map(async (row) => ({ ...row, name: await nameOf(row.invitation.account) })));
    },

    buyersOf: (account) => purchaseStore.buyers(database, account),
    daysOf: (account, range) => purchaseStore.days(database, account, range),

    async earnedIn(account, { from, before }) {
      const terms = (await benefits.list(database, account)).filter(isForInviting);
      return daysFromInvitations(terms.filter(({ grantedAt }) => grantedAt >= from && grantedAt < before));
    },

    async of(account) {
      const own = await invitationStore.find(database, account);
      const all = own ? [own] : [];
      for (let offset = 0, more = true; more; offset += PAGE) {
        const page = await invitationStore.list(database, account, { offset, limit: PAGE });
        all.push(...page);
        more = page.length === PAGE;
      }
      return all;
    },

    inviterOf: async (account) => (await invitationStore.find(database, account))?.inviter,

    async rewardDue(signal) {
      await purchases.rewardDue(signal);
      if (!offer) return;
      const since = clock.now() - WAITING_MS;
      for (let after = '', more = true; more;) {
        const due = await invitationStore.due(database, { since, after, limit: AT_ONCE });
        for (const { account } of due) {
          signal.throwIfAborted();
          await database.transaction((tx) => reward(tx, account, offer));
        }
        after = due.at(-1)?.id ?? '';
        more = due.length === AT_ONCE;
      }
    },

    async rewardNow(inviter) {
      if (!offer) return;
      const since = clock.now() - WAITING_MS;
      const due = await invitationStore.due(database, { since, after: '', limit: NOW, inviter });
      try {
        await purchases.rewardFor(inviter);
        for (const { account } of due) await database.transaction((tx) => reward(tx, account, offer));
      } catch (error) {
        log.warn({ err: error }, 'days for an invitation could not be granted yet');
      }
    },
  };
}
