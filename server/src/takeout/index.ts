import type { BlobStore, Room } from '@bowerbird/storage';
import type { createAccount } from '../account/index.ts';
import type { Contacts } from '../contact/index.ts';
import type { Drive } from '../drive/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type {
  Benefits,
  CheckIns,
  Invites,
  Invoices,
  Orders,
  Payments,
  Quota,
  Renewals,
} from '../membership/index.ts';
import type { createOauth } from '../oauth/index.ts';
import type { Pushes } from '../push/index.ts';
import type { Shares } from '../share/index.ts';
import type { SubscriptionDomain } from '../subscription/index.ts';
import type { Tasks } from '../task/index.ts';
import { createFacts } from './takeout-facts.ts';
import { mountTakeouts } from './takeout-routes.ts';
import { createTakeouts } from './takeout-service.ts';
import { createTakeoutStore } from './takeout-store.ts';

interface Parts extends Foundation {
  storage: BlobStore;
  room: Room;
  account: ReturnType<typeof createAccount>;
  oauth: ReturnType<typeof createOauth>;
  contacts: Pick<Contacts, 'by'>;
  quota: Quota;
  benefits: Pick<Benefits, 'list'>;
  checkIns: Pick<CheckIns, 'days'>;
  invites: Pick<Invites, 'of'>;
  orders: Pick<Orders, 'list'>;
  invoices: Pick<Invoices, 'ofAccount'>;
  payments: Pick<Payments, 'ofAccount'>;
  renewals: Pick<Renewals, 'list'>;
  tasks: Tasks;
  drive: Drive;
  shares: Shares;
  subscriptions: Pick<SubscriptionDomain, 'list'>;
  pushes: Pick<Pushes, 'list'>;
}

/** Copies of a member's data, for the member. */
export function createTakeout({ account, oauth, ...parts }: Parts) {
  const facts = createFacts({ ...parts, ...account, ...oauth });
  const takeouts = createTakeouts({ ...parts, store: createTakeoutStore(), facts });
  return {
    eraseAccount: takeouts.eraseAccount,
    mount: ({ api, http }: Mount) => mountTakeouts(api, http, { takeouts, checks: account.checks }),
    define: (jobs: Jobs) => takeouts.define(jobs),
  };
}
