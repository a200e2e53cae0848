import { createHash } from 'node:crypto';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { ShieldStore } from './shield-store.ts';
import {
  failed,
  forgiven,
  networkOf,
  refusalFor,
  standing,
  type Budget,
  type Count,
  type GuardRules,
} from './shield.ts';

/** Throttle of one kind of attempt over all endpoints, in the database, so for all processes together. */
export interface Guard {
  /**
   * Counts an attempt before its outcome is known, so that parallel guesses can't pass one check. Rejects
   * with the guard's error and `retry_in` while a wait lasts; a rejected attempt is not counted. Returns the
   * seconds until the next attempt is allowed.
   */
  attempt(target: string, address: string): Promise<number>;
  /** Records a successful attempt: it no longer counts, and its network starts over with this target. */
  succeed(target: string, address: string): Promise<void>;
  /** Rejects like {@link Guard.attempt} without counting. */
  check(target: string, address: string): Promise<void>;
}

interface Counter {
  readonly kind: 'pair' | 'network' | 'target';
  readonly key: string;
  readonly budget: Budget;
}

interface Parts {
  database: Database;
  store: ShieldStore;
  clock: Clock;
}

export function createGuard(name: string, rules: GuardRules, { database, store, clock }: Parts): Guard {
  // Targets may be email addresses of people without an account: only their digests are stored.
  const keyOf = (...parts: string[]): string =>
    `${name}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

  /** Counters in a fixed order, so that two attempts never deadlock. */
  const countersOf = (target: string, address: string): Counter[] => {
    const network = networkOf(address);
    const counters: (Omit<Counter, 'budget'> & { budget: Budget | undefined })[] = [
      { kind: 'pair', key: keyOf('pair', target, network), budget: rules.pair },
      { kind: 'network', key: keyOf('network', network), budget: rules.network },
      { kind: 'target', key: keyOf('target', target), budget: rules.target },
    ];
    return counters
      .filter((counter): counter is Counter => counter.budget !== undefined)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  };

  const keysOf = (counters: readonly Counter[]): string[] => counters.map(({ key }) => key);

  /** Milliseconds until none of the counters requires a wait. */
  const waitOf = (counters: readonly Counter[], counts: ReadonlyMap<string, Count>, now: number): number => {
    const pair = counters.find(({ kind }) => kind === 'pair');
    const newcomer = pair !== undefined && standing(counts.get(pair.key), now, pair.budget).failures === 0;
    const waits = counters
      .filter(({ kind }) => !(kind === 'target' && newcomer))
      .map(({ key, budget }) => standing(counts.get(key), now, budget).blockedUntil - now);
    return Math.max(0, ...waits);
  };

  const refuseWhileWaiting = (counters: readonly Counter[], counts: ReadonlyMap<string, Count>): void => {
    const wait = waitOf(counters, counts, clock.now());
    if (wait > 0) throw refusalFor(rules, Math.ceil(wait / 1000));
  };

  /** Changes the counters of an attempt in one step. */
  const change = async (
    counters: readonly Counter[],
    how: (tx: Tx, counts: ReadonlyMap<string, Count>) => Promise<number>,
  ): Promise<number> =>
    database.transaction(async (tx) => {
      for (const { key } of counters) await tx.lock(`throttle:${key}`);
      return how(tx, await store.find(tx, keysOf(counters)));
    });

  return {
    async check(target, address) {
      const counters = countersOf(target, address);
      refuseWhileWaiting(counters, await store.find(database, keysOf(counters)));
    },

    async attempt(target, address) {
      const counters = countersOf(target, address);
      return change(counters, async (tx, counts) => {
        refuseWhileWaiting(counters, counts);
        const now = clock.now();
        const after = new Map<string, Count>();
        for (const { key, budget } of counters) {
          const count = failed(standing(counts.get(key), now, budget), budget, now);
          after.set(key, count);
          await store.put(tx, key, count);
        }
        return Math.ceil(waitOf(counters, after, now) / 1000);
      });
    },

    async succeed(target, address) {
      const counters = countersOf(target, address);
      await change(counters, async (tx, counts) => {
        for (const { kind, key, budget } of counters) {
          const count = counts.get(key);
          if (!count) continue;
          const left = forgiven(count, budget);
          if (kind === 'pair' || left.failures === 0) await store.remove(tx, key);
          else await store.put(tx, key, left);
        }
        return 0;
      });
    },
  };
}
