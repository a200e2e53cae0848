import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import { ledgerStore } from '../ledger-store.ts';
import type { MembershipStore } from '../membership-store.ts';
import { benefitStore } from './benefit-store.ts';
import { isReserve, type Term } from './benefit.ts';
import type { Plans } from './plan.ts';
import { explainParts, storageLimit, type ExplainedPart, type StorageLimit } from './storage-limit.ts';

/** Storage limits, which follow from the plans, the benefits of an account, and what an administrator set for it. */
export interface StorageLimits {
  /** Writes an account's limit, and the difference into its ledger. */
  update(tx: Tx, account: string): Promise<void>;
  /** Sets the storage that the account has instead of the free plan's. */
  setOwn(tx: Tx, account: string, bytes: number): Promise<void>;
  /** Updates the limits that have changed by time or by other settings. */
  updateDue(signal: AbortSignal): Promise<void>;
  /** Returns what an account's limit consists of now, and what each part follows from. */
  explain(sql: Sql, account: string): Promise<ExplainedPart[]>;
  /** Compares an account's limit with its benefits and its ledger; undefined while an update is due. */
  compare(sql: Sql, account: string): Promise<Comparison | undefined>;
}

/** Limit of an account in bytes: the one in force, the one that its benefits result in, and the sum of its ledger. */
export interface Comparison {
  readonly recorded: number;
  readonly computed: number;
  readonly ledger: number;
}

const AT_ONCE = 200;
/** Time after which all limits are compared with the plans again: another process may have older ones. */
const COMPARE_MS = 3600 * 1000;

export function createStorageLimits({
  database,
  store,
  plans,
  clock,
  ids,
}: {
  database: Database;
  store: MembershipStore;
  plans: Plans;
  clock: Clock;
  ids: Ids;
}): StorageLimits {
  let compareAt = 0;

  /** Locks an account's limit, so that two updates do not write the same difference twice. */
  const lock = (tx: Tx, account: string): Promise<void> => tx.lock(`storage-limit:${account}`);

  /** Returns the limit and the terms from which it follows. */
  async function compute(
    sql: Sql,
    account: string,
    now: number,
  ): Promise<StorageLimit & { readonly terms: readonly Term[] }> {
    const own = await store.ownLimit(sql, account);
    const terms = await benefitStore.list(sql, account, now - plans.graceMs);
    return { ...storageLimit(plans, terms, own, now), terms };
  }

  async function update(tx: Tx, account: string): Promise<void> {
    // The account may have been erased since its limit became due, and nothing may be written about it any more.
    if (!(await store.limitState(tx, account))) return;
    const now = clock.now();
    const { bytes, parts, changesAt } = await compute(tx, account, now);
    await store.setLimit(tx, account, { bytes, basis: plans.basis, computedAt: now, changesAt });

    const recorded = await ledgerStore.limitParts(tx, account);
    const references = new Set([...recorded.keys(), ...parts.map(({ reference }) => reference)]);
    for (const reference of references) {
      const part = parts.find((one) => one.reference === reference);
      const before = recorded.get(reference) ?? { bytes: 0, reason: '' };
      const amount = (part?.bytes ?? 0) - before.bytes;
      if (amount === 0) continue;
      const reason = part?.reason ?? before.reason;
      await store.append(tx, {
        id: ids.next(),
        account,
        resource: 'limit',
        amount,
        reason,
        reference,
        at: now,
      });
    }
  }

  /** An own limit that equals the free plan's is none: it follows the settings. */
  async function keepOwn(tx: Tx, account: string, bytes: number | undefined): Promise<void> {
    await store.setOwnLimit(tx, account, bytes === plans.free.entitlements.storage ? undefined : bytes);
  }

  return {
    async update(tx, account) {
      await lock(tx, account);
      await update(tx, account);
    },

    async setOwn(tx, account, bytes) {
      await lock(tx, account);
      await keepOwn(tx, account, bytes);
      await update(tx, account);
    },

    async updateDue(signal) {
      const basis = performance.now() >= compareAt ? plans.basis : undefined;
      for (;;) {
        const due = await store.dueLimits(database, { now: clock.now(), basis, limit: AT_ONCE });
        if (due.length === 0) break;
        for (const account of due) {
          signal.throwIfAborted();
          await database.transaction(async (tx) => {
            await lock(tx, account);
            if ((await store.limitState(tx, account))?.basis === '')
              await keepOwn(tx, account, await store.ownLimit(tx, account));
            await update(tx, account);
          });
        }
      }
      if (basis !== undefined) compareAt = performance.now() + COMPARE_MS;
    },

    async explain(sql, account) {
      const now = clock.now();
      const recorded = await ledgerStore.limitParts(sql, account);
      const { parts, terms } = await compute(sql, account, now);
      const since = new Map(Array.from(recorded, ([reference, part]) => [reference, part.since]));
      const needed = terms.filter((term) => !isReserve(term, now));
      return explainParts(plans, parts, needed, since);
    },

    async compare(sql, account) {
      const now = clock.now();
      const state = await store.limitState(sql, account);
      if (state?.basis !== plans.basis || state.computedAt > now || (state.changesAt ?? Infinity) <= now)
        return undefined;
      const parts = await ledgerStore.limitParts(sql, account);
      return {
        recorded: state.bytes,
        computed: (await compute(sql, account, now)).bytes,
        ledger: [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
  };
}
