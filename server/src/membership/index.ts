import type { Clock, Config, Ids } from '../foundation/index.ts';
import { createQuota, type Quota } from './membership-service.ts';
import { createMembershipStore } from './membership-store.ts';

export type { Quota } from './membership-service.ts';
export type { LedgerNote, QuotaState } from './membership.ts';

/** Plans and quotas: what members may keep, and the ledger of what they do. */
export function createMembership({ clock, ids, config }: { clock: Clock; ids: Ids; config: Config }): {
  quota: Quota;
} {
  return {
    quota: createQuota({ store: createMembershipStore(), clock, ids, memberStorage: config.MEMBER_STORAGE }),
  };
}
