import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { ExternalRow } from './oauth.ts';

const fromRow = (row: Selectable<OauthTables['external_identity']>): ExternalRow => ({
  id: row.id,
  issuer: row.issuer,
  subject: row.subject,
  account: row.account,
  email: row.email,
  createdAt: row.created_at,
  usedAt: row.used_at ?? undefined,
});

export function createExternalStore() {
  const identities = (sql: Sql) => sql.on<OauthTables>().selectFrom('external_identity').selectAll();

  return {
    async find(sql: Sql, issuer: string, subject: string): Promise<ExternalRow | undefined> {
      const row = await identities(sql)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Returns the links of an account, oldest first. */
    async list(sql: Sql, account: string): Promise<ExternalRow[]> {
      const rows = await identities(sql)
        .where('account', '=', account)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromRow);
    },

    /** Throws the database's unique violation if the identity is linked already. */
    async insert(tx: Tx, identity: ExternalRow): Promise<void> {
      tx.changed(identity.account, 'account');
      await tx
        .on<OauthTables>()
        .insertInto('external_identity')
        .values({
          id: identity.id,
          issuer: identity.issuer,
          subject: identity.subject,
          account: identity.account,
          email: identity.email,
          created_at: identity.createdAt,
          used_at: identity.usedAt ?? null,
        })
        .execute();
    },

    async use(tx: Tx, id: string, email: string, now: number): Promise<void> {
      await tx
        .on<OauthTables>()
        .updateTable('external_identity')
        .set({ used_at: now, email })
        .where('id', '=', id)
        .execute();
    },

    async remove(tx: Tx, account: string, id: string): Promise<boolean> {
      tx.changed(account, 'account');
      const result = await tx
        .on<OauthTables>()
        .deleteFrom('external_identity')
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    /** Deletes the account's external identities, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<OauthTables>(database, ['external_identity'], account, signal),
  };
}

export type ExternalStore = ReturnType<typeof createExternalStore>;
