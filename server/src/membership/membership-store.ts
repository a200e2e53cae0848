import { sql } from 'kysely';
import { createStatements, type Database, type Sql, type Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { MembershipTables } from './membership-tables.ts';
import type { LedgerEntry, QuotaState, TransferKind } from './membership.ts';

export function createMembershipStore() {
  const statements = createStatements();
  return {
    async insertQuota(tx: Tx, account: string, limit: number): Promise<void> {
      await tx
        .on<MembershipTables>()
        .insertInto('quota')
        .values({ account, storage_limit: limit, storage_used: 0, storage_reserved: 0, storage_trashed: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async setLimit(tx: Tx, account: string, limit: number): Promise<void> {
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ storage_limit: limit })
        .where('account', '=', account)
        .execute();
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
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ storage_trashed: trashed })
        .where('account', '=', account)
        .execute();
    },

    /** Writes the result of a recount. */
    async setCounters(tx: Tx, account: string, used: number, reserved: number): Promise<void> {
      await tx
        .on<MembershipTables>()
        .updateTable('quota')
        .set({ storage_used: used, storage_reserved: reserved })
        .where('account', '=', account)
        .execute();
    },

    async append(tx: Tx, entry: LedgerEntry): Promise<void> {
      await statements.change(tx, 'ledger', { ...entry }, (values) =>
        tx.on<MembershipTables>().insertInto('ledger').values(values),
      );
    },

    async ledgerTotal(at: Sql, account: string): Promise<number> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('ledger')
        .select(({ fn }) => fn.sum<number>('amount').as('total'))
        .where('account', '=', account)
        .where('resource', '=', 'storage')
        .executeTakeFirst();
      return Number(row?.total ?? 0);
    },

    async addTransfer(
      tx: Tx,
      row: { account: string; month: string; kind: TransferKind; bytes: number },
    ): Promise<void> {
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

    async inviteCode(at: Sql, account: string): Promise<string | undefined> {
      const row = await at
        .on<MembershipTables>()
        .selectFrom('invite_code')
        .select('code')
        .where('account', '=', account)
        .executeTakeFirst();
      return row?.code;
    },

    /** Keeps an existing code of the account; throws a unique violation if another account has this one. */
    async proposeInviteCode(tx: Tx, account: string, code: string): Promise<void> {
      await tx
        .on<MembershipTables>()
        .insertInto('invite_code')
        .values({ account, code })
        .onConflict((conflict) => conflict.column('account').doNothing())
        .execute();
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

    /** Deletes the account's quota, ledger, traffic and invite code, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<MembershipTables>(
        database,
        ['ledger', 'transfer', 'invite_code', 'quota'],
        account,
        signal,
      ),
  };
}

export type MembershipStore = ReturnType<typeof createMembershipStore>;
