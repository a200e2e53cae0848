import { mountCheckIns } from './check-in-routes.ts';
import { createCheckIns, type CheckIns } from './check-in-service.ts';
import { checkInStore } from './check-in-store.ts';
import { createInvites } from './invite-service.ts';
import { mountMembership } from './membership-routes.ts';
import { createQuota, type Quota } from './membership-service.ts';
import { createMembershipStore } from './membership-store.ts';
import { monthly } from './membership.ts';
import { createTraffic, type Traffic } from './traffic-service.ts';
import type { Domain, EraseAccount, Foundation } from '../foundation/domain/index.ts';

export type { CheckIns } from './check-in-service.ts';
export type { Quota } from './membership-service.ts';
export type { LedgerNote, QuotaState } from './membership.ts';
export type { Traffic } from './traffic-service.ts';

export interface Membership extends Domain {
  readonly quota: Quota;
  readonly traffic: Traffic;
  readonly checkIns: CheckIns;
  /** Deletes the account's quota, ledger, traffic, check-ins and invite code. Returns the number of rows removed. */
  readonly eraseAccount: EraseAccount;
}

/** Plans and quotas: storage and traffic of members, and the ledger of changes. */
export function createMembership({ database, clock, ids, log, config }: Foundation): Membership {
  const store = createMembershipStore();
  const traffic = createTraffic({ database, store, clock, log });
  const quota = createQuota({ store, traffic, clock, ids, memberStorage: config.MEMBER_STORAGE });
  const checkIns = createCheckIns({ database, clock });
  const invites = createInvites({ database, store });
  const allowances = { offline: config.OFFLINE_TRAFFIC ? monthly(config.OFFLINE_TRAFFIC) : undefined };
  return {
    quota,
    traffic,
    checkIns,
    async eraseAccount(account, signal) {
      const removed = await checkInStore.eraseAccount(database, account, signal);
      return removed + (await store.eraseAccount(database, account, signal));
    },
    mount({ api }) {
      mountMembership(api, { database, quota, traffic, invites, allowances });
      mountCheckIns(api, checkIns);
    },
    close: () => traffic.flush(),
  };
}
