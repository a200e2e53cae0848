import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { CredentialTables } from './credential-tables.ts';
import type { LivePass, PassRow } from './pass.ts';

function fromRow(row: Selectable<CredentialTables['pass']>): PassRow {
  return {
    id: row.id,
    account: row.account,
    kind: row.kind,
    name: row.name,
    scopes: row.scopes.split(' '),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    usedAt: row.used_at ?? undefined,
    usedFrom: row.used_from,
  };
}

export function createPassStore() {
  return {
    async insert(tx: Tx, pass: PassRow, secretHash: string): Promise<void> {
      tx.changed(pass.account, 'account');
      await tx
        .on<CredentialTables>()
        .insertInto('pass')
        .values({
          id: pass.id,
          account: pass.account,
          kind: pass.kind,
          name: pass.name,
          secret_hash: secretHash,
          scopes: pass.scopes.join(' '),
          created_at: pass.createdAt,
          expires_at: pass.expiresAt ?? null,
          used_at: null,
          used_from: '',
        })
        .execute();
    },

    /** Lists passes, the newest first. */
    async list(sql: Sql, account: string): Promise<PassRow[]> {
      const rows = await sql
        .on<CredentialTables>()
        .selectFrom('pass')
        .selectAll()
        .where('account', '=', account)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(fromRow);
    },

    async bySecret(sql: Sql, secretHash: string): Promise<LivePass | undefined> {
      const row = await sql
        .on<CredentialTables>()
        .selectFrom('pass')
        .innerJoin('account', 'account.id', 'pass.account')
        .selectAll('pass')
        .select(['account.role', 'account.status', 'account.closes_at'])
        .where('pass.secret_hash', '=', secretHash)
        .executeTakeFirst();
      return (
        row && {
          ...fromRow(row),
          role: row.role,
          status: row.status,
          closesAt: row.closes_at ?? undefined,
        }
      );
    },

    async used(tx: Tx, id: string, now: number, address: string): Promise<void> {
      await tx
        .on<CredentialTables>()
        .updateTable('pass')
        .set({ used_at: now, used_from: address })
        .where('id', '=', id)
        .execute();
    },

    /** Returns false if the account has no such pass. */
    async remove(tx: Tx, account: string, id: string): Promise<boolean> {
      tx.changed(account, 'account');
      const result = await tx
        .on<CredentialTables>()
        .deleteFrom('pass')
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async removeAll(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'account');
      await tx.on<CredentialTables>().deleteFrom('pass').where('account', '=', account).execute();
    },

    async removeOver(tx: Tx, before: number): Promise<void> {
      await tx.on<CredentialTables>().deleteFrom('pass').where('expires_at', '<', before).execute();
    },

    /** Deletes the account's passes, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<CredentialTables>(database, ['pass'], account, signal),
  };
}

export type PassStore = ReturnType<typeof createPassStore>;
