import type { GrantScope, GrantType } from '@bowerbird/contract';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { Client } from './oauth.ts';

/** Clients that registered themselves. */
export function createClientStore() {
  return {
    async insert(tx: Tx, client: Client, now: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .insertInto('oauth_client')
        .values({
          id: client.id,
          secret_hash: client.secretHash ?? null,
          name: client.name,
          uri: client.uri,
          redirect_uris: JSON.stringify(client.redirectUris),
          grant_types: JSON.stringify(client.grantTypes),
          scopes: client.scopes.join(' '),
          created_at: now,
          used_at: null,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<Client | undefined> {
      const row = await sql
        .on<OauthTables>()
        .selectFrom('oauth_client')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          secretHash: row.secret_hash ?? undefined,
          name: row.name,
          uri: row.uri,
          redirectUris: JSON.parse(row.redirect_uris) as string[],
          grantTypes: JSON.parse(row.grant_types) as GrantType[],
          scopes: row.scopes.split(' ') as GrantScope[],
          standing: 'registered',
        }
      );
    },

    async use(tx: Tx, id: string, now: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_client')
        .set({ used_at: now })
        .where('id', '=', id)
        .execute();
    },

    async removeUnused(tx: Tx, before: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .deleteFrom('oauth_client')
        .where('used_at', 'is', null)
        .where('created_at', '<', before)
        .execute();
    },
  };
}

export type ClientStore = ReturnType<typeof createClientStore>;
