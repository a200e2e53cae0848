import type { GrantScope } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { DeviceRow } from './oauth.ts';

const fromRow = (row: Selectable<OauthTables['oauth_device']>): DeviceRow => ({
  hash: row.hash,
  userCode: row.user_code,
  client: row.client,
  scopes: row.scopes.split(' ') as GrantScope[],
  state: row.state,
  account: row.account ?? undefined,
  consent: row.consent ?? undefined,
  authenticatedAt: row.authenticated_at ?? undefined,
  decidedAt: row.decided_at ?? undefined,
  intervalMs: row.interval_ms,
  polledAt: row.polled_at ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Member's decision on a device. */
export interface DeviceDecision {
  readonly state: 'allowed' | 'denied';
  readonly account: string;
  readonly consent: string | undefined;
  readonly authenticatedAt: number;
  readonly decidedAt: number;
}

export function createDeviceStore() {
  const devices = (sql: Sql) => sql.on<OauthTables>().selectFrom('oauth_device').selectAll();

  return {
    /** Throws the database's unique violation if another device has this code. */
    async insert(tx: Tx, device: DeviceRow): Promise<void> {
      await tx
        .on<OauthTables>()
        .insertInto('oauth_device')
        .values({
          hash: device.hash,
          user_code: device.userCode,
          client: device.client,
          scopes: device.scopes.join(' '),
          state: device.state,
          account: null,
          consent: null,
          authenticated_at: null,
          decided_at: null,
          interval_ms: device.intervalMs,
          polled_at: null,
          created_at: device.createdAt,
          expires_at: device.expiresAt,
        })
        .execute();
    },

    async find(sql: Sql, hash: string): Promise<DeviceRow | undefined> {
      const row = await devices(sql).where('hash', '=', hash).executeTakeFirst();
      return row && fromRow(row);
    },

    async byUserCode(sql: Sql, userCode: string): Promise<DeviceRow | undefined> {
      const row = await devices(sql).where('user_code', '=', userCode).executeTakeFirst();
      return row && fromRow(row);
    },

    async polled(tx: Tx, hash: string, now: number, intervalMs: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_device')
        .set({ polled_at: now, interval_ms: intervalMs })
        .where('hash', '=', hash)
        .execute();
    },

    /** Returns false if it was decided already. */
    async decide(tx: Tx, hash: string, decision: DeviceDecision): Promise<boolean> {
      const result = await tx
        .on<OauthTables>()
        .updateTable('oauth_device')
        .set({
          state: decision.state,
          account: decision.account,
          consent: decision.consent ?? null,
          authenticated_at: decision.authenticatedAt,
          decided_at: decision.decidedAt,
        })
        .where('hash', '=', hash)
        .where('state', '=', 'pending')
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async use(tx: Tx, hash: string): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_device')
        .set({ state: 'used' })
        .where('hash', '=', hash)
        .execute();
    },

    async removeOver(tx: Tx, before: number): Promise<void> {
      await tx.on<OauthTables>().deleteFrom('oauth_device').where('expires_at', '<', before).execute();
    },

    /** Deletes the account's device codes, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<OauthTables>(database, ['oauth_device'], account, signal),
  };
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;
