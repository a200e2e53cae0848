import type { GrantScope } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { ConsentRow } from './oauth.ts';

const fromRow = (row: Selectable<OauthTables['oauth_consent']>): ConsentRow => ({
  id: row.id,
  account: row.account,
  client: row.client,
  scopes: row.scopes.split(' ') as GrantScope[],
  createdAt: row.created_at,
  usedAt: row.used_at ?? undefined,
});

export function createConsentStore() {
  const consents = (sql: Sql) => sql.on<OauthTables>().selectFrom('oauth_consent').selectAll();

  return {
    async find(sql: Sql, id: string): Promise<ConsentRow | undefined> {
      const row = await consents(sql).where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async ofClient(sql: Sql, account: string, client: string): Promise<ConsentRow | undefined> {
      const row = await consents(sql)
        .where('account', '=', account)
        .where('client', '=', client)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Lists items, newest first. */
    async list(sql: Sql, account: string): Promise<ConsentRow[]> {
      const rows = await consents(sql)
        .where('account', '=', account)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(fromRow);
    },

    async insert(tx: Tx, consent: ConsentRow): Promise<void> {
      tx.changed(consent.account, 'account');
      await tx
        .on<OauthTables>()
        .insertInto('oauth_consent')
        .values({
          id: consent.id,
          account: consent.account,
          client: consent.client,
          scopes: consent.scopes.join(' '),
          created_at: consent.createdAt,
          used_at: null,
        })
        .execute();
    },

    async widen(tx: Tx, id: string, scopes: readonly GrantScope[]): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_consent')
        .set({ scopes: scopes.join(' ') })
        .where('id', '=', id)
        .execute();
    },

    async use(tx: Tx, id: string, now: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_consent')
        .set({ used_at: now })
        .where('id', '=', id)
        .execute();
    },

    async removeAll(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'account');
      await tx.on<OauthTables>().deleteFrom('oauth_consent').where('account', '=', account).execute();
    },

    async remove(tx: Tx, account: string, id: string): Promise<boolean> {
      tx.changed(account, 'account');
      const result = await tx
        .on<OauthTables>()
        .deleteFrom('oauth_consent')
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    /** Deletes the account's consents, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<OauthTables>(database, ['oauth_consent'], account, signal),
  };
}

export type ConsentStore = ReturnType<typeof createConsentStore>;
