import { sql } from 'kysely';
import { createStatements, type Database, type Sql, type Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { MembershipTables } from './membership-tables.ts';
import type { LedgerEntry, QuotaState, TransferKind } from './membership.ts';

/** Tolerated difference between the clocks of cooperating machines. */
const CLOCKS_APART_MS = 60_000;

/** Storage limit of an account, when it was computed and from which plans, and when it changes by itself. */
export interface LimitState {
  readonly bytes: number;
  readonly basis: string;
  readonly computedAt: number;
  readonly changesAt: number | undefined;
}

export function createMembershipStore() {
  const statements = createStatements();
  return {
    /** Creates the counters of a new account, whose limit is still to be set. */
    async insertQuota(tx: Tx, account: string): Promise<void> {
      await tx
        .on<MembershipTables>()
        .insertInto('quota')
        .values({
          account,
          storage_limit: 0,
          storage_used: 0,
          storage_reserved: 0,
          storage_trashed: 0,
          limit_own: null,
          limit_basis: null,
          limit_computed_at: null,
          limit_changes_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async setLimit(tx: Tx, account: string, limit: LimitState): Promise<void> {
      tx.changed(account, 'plan');
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({
          storage_limit: limit.bytes,
          limit_basis: limit.basis,
          limit_computed_at: limit.computedAt,
          limit_changes_at: limit.changesAt ?? null,
        })
        .where('account', '=', account)
        .execute();
    },

    /** Storage that the account has instead of the free plan's; undefined for the free plan's. */
    async ownLimit(at: Sql, account: string): Promise<number | undefined> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .select('limit_own')
        .where('account', '=', account)
        .executeTakeFirst();
      return row?.limit_own ?? undefined;
    },

    async setOwnLimit(tx: Tx, account: string, bytes: number | undefined): Promise<void> {
      tx.changed(account, 'plan');
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ limit_own: bytes ?? null })
        .where('account', '=', account)
        .execute();
    },

    /** Returns an account's limit as it was computed last; with the basis "" if it never was. */
    async limitState(at: Sql, account: string): Promise<LimitState | undefined> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .select(['storage_limit', 'limit_basis', 'limit_computed_at', 'limit_changes_at'])
        .where('account', '=', account)
        .executeTakeFirst();
      return (
        row && {
          bytes: row.storage_limit,
          basis: row.limit_basis ?? '',
          computedAt: row.limit_computed_at ?? 0,
          changesAt: row.limit_changes_at ?? undefined,
        }
      );
    },

    /**
     * Returns accounts whose limit is due to change. With a `basis`, also those whose limit was computed from other
     * plans, or at a time that is still to come, by a wrong clock.
     */
    async dueLimits(
      at: Sql,
      { now, basis, limit }: { now: number; basis: string | undefined; limit: number },
    ): Promise<string[]> {
      const rows = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .select('account')
        .where((where) =>
          where.or([
            where('limit_changes_at', '<=', now),
            ...(basis === undefined
              ? []
              : [
                  where('limit_basis', 'is', null),
                  where('limit_basis', '<>', basis),
                  where('limit_computed_at', '>', now + CLOCKS_APART_MS),
                ]),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(({ account }) => account);
    },

    async find(at: Sql, account: string): Promise<QuotaState | undefined> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .selectAll()
        .where('account', '=', account)
        .executeTakeFirst();
      return (
        row && {
          limit: row.storage_limit,
          used: row.storage_used,
          reserved: row.storage_reserved,
          trashed: row.storage_trashed,
        }
      );
    },

    async totals(at: Sql): Promise<{ used: number; reserved: number }> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .select(({ fn }) => [
          fn.sum<number>('storage_used').as('used'),
          fn.sum<number>('storage_reserved').as('reserved'),
        ])
        .executeTakeFirst();
      return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
    },

    /**
     * Adds to used and reserved in one statement; returns false without a change if that would exceed the
     * limit.
     */
    async add(tx: Tx, account: string, used: number, reserved: number): Promise<boolean> {
      tx.changed(account, 'storage');
      const grows = used + reserved > 0;
      const values = { account, used, reserved, grown: used + reserved };
      const changed = await statements.change(tx, grows ? 'grow' : 'shrink', values, (value) =>
        tx
          .on<MembershipTables>()
          .updateTable('quota')
          .set({
            storage_used: sql<number>`storage_used + ${value.used}`,
            storage_reserved: sql<number>`storage_reserved + ${value.reserved}`,
          })
          .where('account', '=', value.account)
          .where(
            grows
              ? sql<boolean>`storage_used + storage_reserved + ${value.grown} <= storage_limit`
              : sql<boolean>`1 = 1`,
          ),
      );
      return changed > 0;
    },

    async setTrashed(tx: Tx, account: string, trashed: number): Promise<void> {
      tx.changed(account, 'storage');
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ storage_trashed: trashed })
        .where('account', '=', account)
        .execute();
    },

    /** Writes the result of a recount. */
    async setCounters(tx: Tx, account: string, used: number, reserved: number): Promise<void> {
      tx.changed(account, 'storage');
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ storage_used: used, storage_reserved: reserved })
        .where('account', '=', account)
        .execute();
    },

    async append(tx: Tx, entry: LedgerEntry): Promise<void> {
      tx.changed(entry.account, 'storage');
      await statements.change(tx, 'ledger', { ...entry }, (values) =>
        tx.on<MembershipTables>().insertInto('ledger').values(values),
      );
    },

    async addTransfer(
      tx: Tx,
      row: { account: string; month: string; kind: TransferKind; bytes: number },
    ): Promise<void> {
      tx.changed(row.account, 'traffic');
      await statements.change(tx, 'transfer', { ...row }, (values) =>
        tx
          .on<MembershipTables>()
          .insertInto('transfer')
          .values(values)
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'month', 'kind'])
              .doUpdateSet({ bytes: sql<number>`transfer.bytes + ${values.bytes}` }),
          ),
      );
    },

    async traffic(at: Sql, account: string, month: string): Promise<Map<TransferKind, number>> {
      const rows = await at
        .on<MembershipTables>()
        .selectFrom('transfer')
        .select(['kind', 'bytes'])
        .where('account', '=', account)
        .where('month', '=', month)
        .execute();
      return new Map(rows.map(({ kind, bytes }) => [kind, Number(bytes)]));
    },

    async accounts(at: Sql): Promise<string[]> {
      const rows = await at
        .on<MembershipTables>()
        .selectFrom('quota')
        .select('account')
        .orderBy('account')
        .execute();
      return rows.map((row) => row.account);
    },

    /** Deletes the account's quota, ledger and traffic, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<MembershipTables>(database, ['ledger', 'transfer', 'quota'], account, signal),
  };
}

export type MembershipStore = ReturnType<typeof createMembershipStore>;
