import type { Nodes } from '../drive/index.ts';
import { DEFAULT_FOLDER, type UnattendedFetches } from '../offline/index.ts';
import type { CountLimits } from '../membership/index.ts';
import type { Shield } from '../shield/index.ts';
import type { Domain, EraseAccount, Foundation } from '../foundation/domain/index.ts';
import type { Tasks } from '../task/index.ts';
import { defineSubscriptionJobs } from './subscription-jobs.ts';
import { LOOKS } from './subscription-limits.ts';
import { createNotices } from './subscription-notice-service.ts';
import { createReadings } from './subscription-reading-service.ts';
import { mountSubscriptions } from './subscription-routes.ts';
import { createRuns } from './subscription-run-service.ts';
import { createSubscriptions } from './subscription-service.ts';
import { createSubscriptionItemStore } from './subscription-item-store.ts';
import { createSubscriptionStore } from './subscription-store.ts';
import type { SubscriptionRow } from './subscription.ts';

export type { SubscriptionRow } from './subscription.ts';

export interface SubscriptionDeps extends Foundation {
  readonly shield: Shield;
  readonly nodes: Nodes;
  readonly tasks: Tasks;
  readonly unattendedFetches: UnattendedFetches;
  readonly countLimits: CountLimits;
  readonly isActive: (account: string) => Promise<boolean>;
}

export interface SubscriptionDomain extends Domain {
  /** Deletes the account's subscriptions. Returns the number of rows removed. */
  readonly eraseAccount: EraseAccount;
  list(account: string): Promise<SubscriptionRow[]>;
}

/** Subscriptions to feeds, and links that are fetched repeatedly: each run on its schedule by one process. */
export function createSubscriptionDomain(deps: SubscriptionDeps): SubscriptionDomain {
  const { database, shield } = deps;
  const store = createSubscriptionStore(deps);
  const itemStore = createSubscriptionItemStore(deps);
  const readings = createReadings(deps);
  const notices = createNotices({ ...deps, store, itemStore });
  const runs = createRuns({ ...deps, store, itemStore, readings, notices });
  const subscriptions = createSubscriptions({ ...deps, store, itemStore, runs });
  const looks = shield.guard('subscription-look', LOOKS);
  return {
    eraseAccount: (account, signal) => store.eraseAccount(database, account, signal),
    list: (account) => subscriptions.list(account),
    mount: ({ api }) =>
      mountSubscriptions(api, {
        ...deps,
        subscriptions,
        readings,
        looks,
        defaultFolder: DEFAULT_FOLDER,
        counts: (ids) => itemStore.counts(database, ids),
      }),
    define: (queue) => defineSubscriptionJobs(queue, runs),
  };
}
