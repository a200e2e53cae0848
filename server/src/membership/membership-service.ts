import { ApiFailure } from '@bowerbird/contract';
import type { Clock, Ids } from '../foundation/index.ts';
import type { Sql, Tx } from '../foundation/database/index.ts';
import { ledgerStore } from './ledger-store.ts';
import type { MembershipStore } from './membership-store.ts';
import type { LedgerNote, QuotaState } from './membership.ts';
import type { StorageLimits } from './plan/index.ts';
import type { Traffic } from './traffic-service.ts';

/** Storage quota of members: checked and charged in one step, within the transaction that changes the drive. */
export interface Quota {
  /** Creates the quota of a new member, with the storage of the free plan. */
  open(tx: Tx, account: string): Promise<void>;
  /** Sets the storage of one account, instead of the free plan's. */
  setLimit(tx: Tx, account: string, bytes: number): Promise<void>;
  of(sql: Sql, account: string): Promise<QuotaState>;
  /** Reserves bytes for data that will arrive; throws `file_space_not_enough` if they do not fit. */
  reserve(tx: Tx, account: string, bytes: number): Promise<void>;
  /** Releases a reservation. */
  release(tx: Tx, account: string, bytes: number): Promise<void>;
  /**
   * Charges bytes, of which `fromReserved` were reserved; throws `file_space_not_enough` if the rest does not fit, and
   * `traffic_upload_limit` if an upload for which nothing was reserved exceeds the month's traffic.
   */
  charge(tx: Tx, account: string, bytes: number, note: LedgerNote & { fromReserved?: number }): Promise<void>;
  /** Refunds deleted bytes. */
  refund(tx: Tx, account: string, bytes: number, note: LedgerNote): Promise<void>;
  measuredTrash(tx: Tx, account: string, bytes: number): Promise<void>;
  /** Returns the used and the reserved bytes of all members together. */
  totals(sql: Sql): Promise<{ used: number; reserved: number }>;
  accounts(sql: Sql): Promise<string[]>;
  ledgerTotal(sql: Sql, account: string): Promise<number>;
  /** Compares an account's limit with its benefits and its ledger; undefined while an update is due. */
  readonly compareLimit: StorageLimits['compare'];
  /** Computes the limit again. */
  readonly correctLimit: StorageLimits['update'];
  /** Sets counter and ledger to the result of a recount. */
  correct(tx: Tx, account: string, found: { used: number; reserved: number }): Promise<void>;
}

/** Reasons of changes that are traffic. */
const ARRIVALS = ['upload', 'offline'] as const;

export function createQuota({
  store,
  traffic,
  isSold,
  clock,
  ids,
  limits,
}: {
  store: MembershipStore;
  traffic: Traffic;
  /** True if members can buy more storage, alone or with a plan. */
  isSold: boolean;
  clock: Clock;
  ids: Ids;
  limits: StorageLimits;
}): Quota {
  const note = (tx: Tx, account: string, amount: number, { reason, reference }: LedgerNote): Promise<void> =>
    store.append(tx, {
      id: ids.next(),
      account,
      resource: 'storage',
      amount,
      reason,
      reference,
      at: clock.now(),
    });
  /** Refuses what does not fit, with the numbers that explain it. */
  const full = async (tx: Tx, account: string): Promise<never> => {
    const state = await store.find(tx, account);
    const facts = state && {
      used_bytes: String(state.used + state.reserved),
      limit_bytes: String(state.limit),
      ...(isSold ? { more: 'storage' } : {}),
    };
    throw new ApiFailure('file_space_not_enough', facts ?? {});
  };

  return {
    async open(tx, account) {
      await store.insertQuota(tx, account);
      await limits.update(tx, account);
    },
    setLimit: (tx, account, bytes) => limits.setOwn(tx, account, bytes),
    of: async (sql, account) =>
      (await store.find(sql, account)) ?? { limit: 0, used: 0, reserved: 0, trashed: 0 },
    async reserve(tx, account, bytes) {
      if (bytes > 0 && !(await store.add(tx, account, 0, bytes))) await full(tx, account);
    },
    async release(tx, account, bytes) {
      if (bytes > 0) await store.add(tx, account, 0, -bytes);
    },
    async charge(tx, account, bytes, { fromReserved = 0, ...entry }) {
      if (bytes === 0 && fromReserved === 0) return;
      if (!(await store.add(tx, account, bytes, -fromReserved))) await full(tx, account);
      if (bytes === 0) return;
      await note(tx, account, bytes, entry);
      const kind = ARRIVALS.find((one) => one === entry.reason);
      if (!kind) return;
      await traffic.add(tx, account, kind, bytes);
      if (kind === 'upload' && fromReserved === 0) await traffic.check(tx, account, kind, 0);
    },
    async refund(tx, account, bytes, entry) {
      if (bytes === 0) return;
      await store.add(tx, account, -bytes, 0);
      await note(tx, account, -bytes, entry);
    },
    measuredTrash: (tx, account, bytes) => store.setTrashed(tx, account, bytes),
    totals: (sql) => store.totals(sql),
    accounts: (sql) => store.accounts(sql),
    ledgerTotal: (sql, account) => ledgerStore.ledgerTotal(sql, account),
    compareLimit: limits.compare,
    correctLimit: limits.update,
    async correct(tx, account, { used, reserved }) {
      const total = await ledgerStore.ledgerTotal(tx, account);
      if (total !== used) await note(tx, account, used - total, { reason: 'repair', reference: '' });
      await store.setCounters(tx, account, used, reserved);
    },
  };
}
