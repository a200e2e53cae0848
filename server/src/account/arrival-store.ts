import type { Selectable } from 'kysely';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { AccountTables } from './account-tables.ts';
import type { Arrival, Outcome, Way } from './arrival.ts';

function fromRow(row: Selectable<AccountTables['sign_in']>): Arrival {
  return {
    id: row.id,
    account: row.account,
    way: row.way as Way,
    outcome: row.outcome as Outcome,
    address: row.address,
    userAgent: row.user_agent,
    clientId: row.client_id,
    at: row.at,
  };
}

export function createArrivalStore() {
  return {
    async insert(tx: Tx, arrival: Arrival): Promise<void> {
      await tx
        .on<AccountTables>()
        .insertInto('sign_in')
        .values({
          id: arrival.id,
          account: arrival.account,
          way: arrival.way,
          outcome: arrival.outcome,
          address: arrival.address,
          user_agent: arrival.userAgent,
          client_id: arrival.clientId,
          at: arrival.at,
        })
        .execute();
    },

    /** Newest first. */
    async list(sql: Sql, account: string, since: number, limit: number): Promise<Arrival[]> {
      const rows = await sql
        .on<AccountTables>()
        .selectFrom('sign_in')
        .selectAll()
        .where('account', '=', account)
        .where('at', '>=', since)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },

    /** True where the account had not been seen there. */
    async meet(tx: Tx, account: string, key: string, now: number): Promise<boolean> {
      const known = await tx
        .on<AccountTables>()
        .updateTable('known_device')
        .set({ seen_at: now })
        .where('account', '=', account)
        .where('key', '=', key)
        .executeTakeFirst();
      if (known.numUpdatedRows > 0n) return false;
      await tx
        .on<AccountTables>()
        .insertInto('known_device')
        .values({ account, key, seen_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return true;
    },

    async removeBefore(tx: Tx, arrivals: number, devices: number): Promise<void> {
      await tx.on<AccountTables>().deleteFrom('sign_in').where('at', '<', arrivals).execute();
      await tx.on<AccountTables>().deleteFrom('known_device').where('seen_at', '<', devices).execute();
    },
  };
}

export type ArrivalStore = ReturnType<typeof createArrivalStore>;
