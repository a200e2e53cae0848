import { sql as raw } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { CredentialTables } from './credential-tables.ts';

/** Secret shared with an authenticator app; required at sign-in once it is confirmed. */
export interface SecondFactorRow {
  readonly account: string;
  /** Encrypted. */
  readonly secret: string;
  /** Time step of the newest used code; codes up to it are invalid. */
  readonly lastStep: number;
  readonly confirmedAt: number | undefined;
}

export interface TrustedDevice {
  readonly id: string;
  readonly account: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function createSecondFactorStore() {
  return {
    async isOn(sql: Sql, account: string): Promise<boolean> {
      const row = await sql
        .on<CredentialTables>()
        .selectFrom('second_factor')
        .select('account')
        .where('account', '=', account)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    async find(sql: Sql, account: string): Promise<SecondFactorRow | undefined> {
      const row = await sql
        .on<CredentialTables>()
        .selectFrom('second_factor')
        .selectAll()
        .where('account', '=', account)
        .executeTakeFirst();
      return (
        row && {
          account: row.account,
          secret: row.secret,
          lastStep: row.last_step,
          confirmedAt: row.confirmed_at ?? undefined,
        }
      );
    },

    /** Replaces a secret that was not confirmed. */
    async propose(tx: Tx, account: string, secret: string, now: number): Promise<void> {
      const columns = { secret, last_step: 0, created_at: now, confirmed_at: null };
      await tx
        .on<CredentialTables>()
        .insertInto('second_factor')
        .values({ account, ...columns })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(columns))
        .execute();
    },

    async confirm(tx: Tx, account: string, now: number): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<CredentialTables>()
        .updateTable('second_factor')
        .set({ confirmed_at: now })
        .where('account', '=', account)
        .execute();
    },

    /** Marks the code of a step as used; returns false if that code or a later one was used already. */
    async useStep(tx: Tx, account: string, step: number): Promise<boolean> {
      const result = await tx
        .on<CredentialTables>()
        .updateTable('second_factor')
        .set({ last_step: step })
        .where('account', '=', account)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(tx: Tx, account: string): Promise<void> {
      tx.changed(account, 'account');
      await tx.on<CredentialTables>().deleteFrom('second_factor').where('account', '=', account).execute();
      await tx.on<CredentialTables>().deleteFrom('recovery_code').where('account', '=', account).execute();
    },

    /** Replaces the old codes. */
    async putCodes(tx: Tx, account: string, hashes: readonly string[]): Promise<void> {
      tx.changed(account, 'account');
      await tx.on<CredentialTables>().deleteFrom('recovery_code').where('account', '=', account).execute();
      await tx
        .on<CredentialTables>()
        .insertInto('recovery_code')
        .values(hashes.map((hash) => ({ account, hash, used_at: null })))
        .execute();
    },

    /** Returns the salt of an account's code hashes, or "". */
    async saltOfCodes(sql: Sql, account: string): Promise<string> {
      const code = await sql
        .on<CredentialTables>()
        .selectFrom('recovery_code')
        .select('hash')
        .where('account', '=', account)
        .limit(1)
        .executeTakeFirst();
      return /^([^.]+)\./.exec(code?.hash ?? '')?.[1] ?? '';
    },

    /** Marks a code as used; returns false if it is unknown or was used already. */
    async useCode(tx: Tx, account: string, hash: string, now: number): Promise<boolean> {
      const result = await tx
        .on<CredentialTables>()
        .updateTable('recovery_code')
        .set({ used_at: now })
        .where('account', '=', account)
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async codesLeft(sql: Sql, account: string): Promise<number> {
      const { left } = await sql
        .on<CredentialTables>()
        .selectFrom('recovery_code')
        .select(raw<number>`count(*)`.as('left'))
        .where('account', '=', account)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow();
      return left;
    },

    async trust(tx: Tx, device: TrustedDevice, secretHash: string): Promise<void> {
      await tx
        .on<CredentialTables>()
        .insertInto('trusted_device')
        .values({
          id: device.id,
          account: device.account,
          secret_hash: secretHash,
          user_agent: device.userAgent,
          created_at: device.createdAt,
          expires_at: device.expiresAt,
        })
        .execute();
    },

    async isTrusted(sql: Sql, account: string, secretHash: string, now: number): Promise<boolean> {
      const row = await sql
        .on<CredentialTables>()
        .selectFrom('trusted_device')
        .select('id')
        .where('secret_hash', '=', secretHash)
        .where('account', '=', account)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },

    async devices(sql: Sql, account: string, now: number): Promise<number> {
      const { count } = await sql
        .on<CredentialTables>()
        .selectFrom('trusted_device')
        .select(raw<number>`count(*)`.as('count'))
        .where('account', '=', account)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow();
      return count;
    },

    async forgetDevices(tx: Tx, account: string): Promise<void> {
      await tx.on<CredentialTables>().deleteFrom('trusted_device').where('account', '=', account).execute();
    },

    /** Deletes expired trusted devices, and secrets that were never confirmed. */
    async removeOver(tx: Tx, now: number, unconfirmed: number): Promise<void> {
      await tx.on<CredentialTables>().deleteFrom('trusted_device').where('expires_at', '<', now).execute();
      await tx
        .on<CredentialTables>()
        .deleteFrom('second_factor')
        .where('confirmed_at', 'is', null)
        .where('created_at', '<', unconfirmed)
        .execute();
    },

    /** Deletes the account's second factor and trusted devices, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<CredentialTables>(
        database,
        ['second_factor', 'recovery_code', 'trusted_device'],
        account,
        signal,
      ),
  };
}

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
