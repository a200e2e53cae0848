import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { SignInRecord } from './sign-in-record.ts';

function fromRow(row: Selectable<SignInTables['sign_in']>): SignInRecord {
  return {
    id: row.id,
    account: row.account,
    way: row.way,
    outcome: row.outcome,
    address: row.address,
    userAgent: row.user_agent,
    clientId: row.client_id,
    at: row.at,
  };
}

export function createSignInHistoryStore() {
  return {
    async insert(tx: Tx, record: SignInRecord): Promise<void> {
      await tx
        .on<SignInTables>()
        .insertInto('sign_in')
        .values({
          id: record.id,
          account: record.account,
          way: record.way,
          outcome: record.outcome,
          address: record.address,
          user_agent: record.userAgent,
          client_id: record.clientId,
          at: record.at,
        })
        .execute();
    },

    /** Lists entries, the newest first. */
    async list(sql: Sql, account: string, since: number, limit: number): Promise<SignInRecord[]> {
      const rows = await sql
        .on<SignInTables>()
        .selectFrom('sign_in')
        .selectAll()
        .where('account', '=', account)
        .where('at', '>=', since)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /** Records the use of a device and network. Returns true if the account had never been used from there. */
    async recordDevice(tx: Tx, account: string, key: string, now: number): Promise<boolean> {
      const known = await tx
        .on<SignInTables>()
        .updateTable('known_device')
        .set({ seen_at: now })
        .where('account', '=', account)
        .where('key', '=', key)
        .executeTakeFirst();
      if (known.numUpdatedRows > 0n) return false;
      await tx
        .on<SignInTables>()
        .insertInto('known_device')
        .values({ account, key, seen_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return true;
    },

    async removeBefore(tx: Tx, recordsBefore: number, devicesBefore: number): Promise<void> {
      await tx.on<SignInTables>().deleteFrom('sign_in').where('at', '<', recordsBefore).execute();
      await tx.on<SignInTables>().deleteFrom('known_device').where('seen_at', '<', devicesBefore).execute();
    },

    /** Deletes the account's sign-in history, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<SignInTables>(database, ['sign_in', 'known_device'], account, signal),
  };
}

export type SignInHistoryStore = ReturnType<typeof createSignInHistoryStore>;
