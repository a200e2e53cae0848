import { sql as raw } from 'kysely';
import { leaseTime, type Sql, type Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceRow } from './offline.ts';
import { selectSources, sourceFrom } from './source-store.ts';

const LEASE_MS = 30_000;

/** Leases of sources. A lease allows one process to fetch a source for a limited time. */
export function createSourceLeaseStore({ clock }: { clock: Clock }) {
  const on = (sql: Sql) => sql.on<OfflineTables>();

  return {
    /**
     * Leases the next source that may be fetched: requested by an account that is not among `saturated`, and without a
     * valid lease. Returns undefined if there is none.
     */
    async take(
      tx: Tx,
      { owner, now, saturated }: { owner: string; now: number; saturated: readonly string[] },
    ): Promise<SourceRow | undefined> {
      let query = selectSources(tx)
        .where('state', 'in', ['queued', 'fetching'])
        .where('not_before', '<=', now)
        .where((where) =>
          where.or([where('lease_until', 'is', null), where('lease_until', '<', leaseTime(tx, clock))]),
        )
        .where(({ exists, selectFrom }) => {
          const requests = selectFrom('offline')
            .select('offline.task')
            .whereRef('offline.source', '=', 'source.id')
            .where('offline.active', '=', 1)
            .where('offline.start_at', '<=', now);
          return exists(
            saturated.length > 0 ? requests.where('offline.account', 'not in', saturated) : requests,
          );
        })
        .orderBy('priority')
        .orderBy('queued_at')
        .limit(1);
      if (tx.dialect === 'postgres') query = query.forUpdate().skipLocked();
      const row = await query.executeTakeFirst();
      if (!row) return undefined;
      await on(tx)
        .updateTable('source')
        .set({
          state: 'fetching',
          lease_owner: owner,
          lease_until: leaseTime(tx, clock, LEASE_MS),
          attempts: row.attempts + 1,
          updated_at: now,
        })
        .where('id', '=', row.id)
        .execute();
      return { ...sourceFrom(row), state: 'fetching', attempts: row.attempts + 1, leaseOwner: owner };
    },

    /** Returns whether a source may be leased. A read-only check, to avoid needless write transactions. */
    async isDue(sql: Sql, now: number): Promise<boolean> {
      const row = await on(sql)
        .selectFrom('source')
        .select('id')
        .where('state', 'in', ['queued', 'fetching'])
        .where('not_before', '<=', now)
        .where((where) =>
          where.or([where('lease_until', 'is', null), where('lease_until', '<', leaseTime(sql, clock))]),
        )
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Renews leases. Returns the ids of those that the owner still holds. */
    async renew(tx: Tx, owner: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await on(tx)
        .updateTable('source')
        .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
        .where('id', 'in', ids)
        .where('lease_owner', '=', owner)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Corrects times that were written by a clock that was ahead: limits leases and retry delays to their maximum. */
    async fixFutureTimes(tx: Tx, longestWaitMs: number): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
        .where('state', '=', 'fetching')
        .where('lease_until', '>', leaseTime(tx, clock, LEASE_MS))
        .execute();
      await on(tx)
        .updateTable('source')
        .set({ not_before: 0 })
        .where('state', '=', 'queued')
        .where('not_before', '>', clock.now() + longestWaitMs)
        .execute();
    },

    /** Returns the names of all lease owners. */
    async owners(sql: Sql): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('source')
        .select('lease_owner')
        .distinct()
        .where('lease_owner', 'is not', null)
        .execute();
      return rows.map(({ lease_owner: name }) => name!);
    },

    async reclaim(tx: Tx, owner: string): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ state: 'queued', lease_owner: null, lease_until: null, attempts: 0 })
        .where('lease_owner', '=', owner)
        .execute();
    },

    /** Returns the number of sources being fetched for each account. */
    async running(sql: Sql): Promise<Map<string, number>> {
      const rows = await on(sql)
        .selectFrom('offline')
        .innerJoin('source', 'source.id', 'offline.source')
        .select(['offline.account', raw<number>`count(distinct source.id)`.as('count')])
        .where('source.state', '=', 'fetching')
        .where('source.lease_until', '>=', leaseTime(sql, clock))
        .where('offline.active', '=', 1)
        .groupBy('offline.account')
        .execute();
      return new Map(rows.map(({ account, count }) => [account, Number(count)]));
    },
  };
}

export type SourceLeaseStore = ReturnType<typeof createSourceLeaseStore>;
