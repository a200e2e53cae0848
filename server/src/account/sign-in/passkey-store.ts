import type { Selectable } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { PasskeyRow } from './passkey.ts';

function fromRow(row: Selectable<SignInTables['passkey']>): PasskeyRow {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(' '),
    createdAt: row.created_at,
    usedAt: row.used_at ?? undefined,
  };
}

export function createPasskeyStore() {
  return {
    /** Throws the database's unique violation if the key exists already. */
    async insert(tx: Tx, key: PasskeyRow): Promise<void> {
      tx.changed(key.account, 'account');
      await tx
        .on<SignInTables>()
        .insertInto('passkey')
        .values({
          id: key.id,
          account: key.account,
          name: key.name,
          public_key: key.publicKey,
          counter: key.counter,
          transports: key.transports.join(' '),
          created_at: key.createdAt,
          used_at: null,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<PasskeyRow | undefined> {
      const row = await sql
        .on<SignInTables>()
        .selectFrom('passkey')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    /** Lists keys, the oldest first. */
    async list(sql: Sql, account: string): Promise<PasskeyRow[]> {
      const rows = await sql
        .on<SignInTables>()
        .selectFrom('passkey')
        .selectAll()
        .where('account', '=', account)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromRow);
    },

    /** Returns false if another sign-in has advanced the counter in the meantime, or the key was deleted. */
    async use(tx: Tx, key: PasskeyRow, counter: number, now: number): Promise<boolean> {
      const result = await tx
        .on<SignInTables>()
        .updateTable('passkey')
        .set({ counter, used_at: now })
        .where('id', '=', key.id)
        .where('counter', '=', key.counter)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async rename(tx: Tx, account: string, id: string, name: string): Promise<boolean> {
      tx.changed(account, 'account');
      const result = await tx
        .on<SignInTables>()
        .updateTable('passkey')
        .set({ name })
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(tx: Tx, account: string, id: string): Promise<boolean> {
      tx.changed(account, 'account');
      const result = await tx
        .on<SignInTables>()
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async ask(
      tx: Tx,
      challenge: {
        id: string;
        purpose: string;
        account: string | undefined;
        value: string;
        expiresAt: number;
      },
    ): Promise<void> {
      await tx
        .on<SignInTables>()
        .insertInto('challenge')
        .values({
          id: challenge.id,
          purpose: challenge.purpose,
          account: challenge.account ?? null,
          value: challenge.value,
          expires_at: challenge.expiresAt,
        })
        .execute();
    },

    /** Removes the challenge and returns it; undefined if it was answered already or has expired. */
    async answered(
      tx: Tx,
      id: string,
      purpose: string,
      account: string | undefined,
      now: number,
    ): Promise<string | undefined> {
      const row = await tx
        .on<SignInTables>()
        .deleteFrom('challenge')
        .where('id', '=', id)
        .where('purpose', '=', purpose)
        .where('account', account === undefined ? 'is' : '=', account ?? null)
        .returning(['value', 'expires_at'])
        .executeTakeFirst();
      return row && row.expires_at > now ? row.value : undefined;
    },

    async removeOver(tx: Tx, now: number): Promise<void> {
      await tx.on<SignInTables>().deleteFrom('challenge').where('expires_at', '<', now).execute();
    },

    /** Deletes the account's passkeys and challenges, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<SignInTables>(database, ['passkey', 'challenge'], account, signal),
  };
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
