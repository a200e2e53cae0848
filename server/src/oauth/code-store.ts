import type { GrantScope } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { CodeRow } from './oauth.ts';

export function createCodeStore() {
  return {
    async insert(tx: Tx, code: CodeRow): Promise<void> {
      await tx
        .on<OauthTables>()
        .insertInto('oauth_code')
        .values({
          hash: code.hash,
          account: code.account,
          client: code.client,
          consent: code.consent ?? null,
          redirect_uri: code.redirectUri,
          challenge: code.challenge ?? null,
          nonce: code.nonce ?? null,
          scopes: code.scopes.join(' '),
          authenticated_at: code.authenticatedAt,
          created_at: code.createdAt,
          expires_at: code.expiresAt,
          used_at: null,
          session: null,
        })
        .execute();
    },

    async find(sql: Sql, hash: string): Promise<CodeRow | undefined> {
      const row = await sql
        .on<OauthTables>()
        .selectFrom('oauth_code')
        .selectAll()
        .where('hash', '=', hash)
        .executeTakeFirst();
      return (
        row && {
          hash: row.hash,
          account: row.account,
          client: row.client,
          consent: row.consent ?? undefined,
          redirectUri: row.redirect_uri,
          challenge: row.challenge ?? undefined,
          nonce: row.nonce ?? undefined,
          scopes: row.scopes === '' ? [] : (row.scopes.split(' ') as GrantScope[]),
          authenticatedAt: row.authenticated_at,
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          usedAt: row.used_at ?? undefined,
          session: row.session ?? undefined,
        }
      );
    },

    async use(tx: Tx, hash: string, session: string, now: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('oauth_code')
        .set({ used_at: now, session })
        .where('hash', '=', hash)
        .execute();
    },

    async removeOver(tx: Tx, before: number): Promise<void> {
      await tx.on<OauthTables>().deleteFrom('oauth_code').where('expires_at', '<', before).execute();
    },

    /** Deletes the account's codes, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<OauthTables>(database, ['oauth_code'], account, signal),
  };
}

export type CodeStore = ReturnType<typeof createCodeStore>;
