import type { Database } from '../foundation/database/index.ts';
import { firstIdAt } from '../foundation/index.ts';
import { ledgerStore as store, type LedgerCause } from './ledger-store.ts';
import type { LedgerEntry, QuotaState } from './membership.ts';
import type { Quota } from './membership-service.ts';
import type { ExplainedPart, StorageLimits } from './plan/index.ts';

export interface LedgerFilter {
  readonly resource?: LedgerEntry['resource'] | undefined;
  /** Cause of the changes. */
  readonly cause?: string | undefined;
  /** First and last moment, in milliseconds; the last is exclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** History and parts of an account's storage, for its owner. */
export interface Ledger {
  /** Explains the limit: the sum of its parts, as the ledger has it. */
  limit(account: string): Promise<{ quota: QuotaState; parts: ExplainedPart[] }>;
  /** Returns at most `limit` entries older than the entry `after`, newest first, whether more follow, and all causes. */
  page(
    account: string,
    filter: LedgerFilter,
    page: { after: string | undefined; limit: number },
  ): Promise<{ entries: LedgerEntry[]; more: boolean; causes: LedgerCause[] }>;
}

/** Greater than every id. */
const BEYOND_IDS = '~';

export function createLedger({
  database,
  quota,
  limits,
}: {
  database: Database;
  quota: Pick<Quota, 'of'>;
  limits: StorageLimits;
}): Ledger {
  return {
    async limit(account) {
      const parts = await limits.explain(database, account);
      return { quota: await quota.of(database, account), parts };
    },

    async page(account, { resource, cause, since, until }, { after, limit }) {
      const all = await store.causes(database, account);
      const causes = all.filter(
        (one) =>
          (resource === undefined || one.resource === resource) &&
          (cause === undefined || one.reason === cause),
      );
      // Ids begin with their time, so the index answers periods as well.
      const from = since === undefined ? '' : firstIdAt(since);
      const end = until === undefined ? BEYOND_IDS : firstIdAt(until);
      const before = after !== undefined && after < end ? after : end;
      const rows = await store.newest(database, account, { causes, from, before, limit: limit + 1 });
      return { entries: rows.slice(0, limit), more: rows.length > limit, causes: all };
    },
  };
}
