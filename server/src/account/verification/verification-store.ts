import { sql as raw } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { VerificationTables } from './verification-tables.ts';

/** Code that was sent, later the proof that it was received. */
export interface Verification {
  readonly id: string;
  /** Key of the address, or the phone number. */
  readonly target: string;
  readonly usage: string;
  readonly codeHash: string;
  readonly expiresAt: number;
}

export function createVerificationStore() {
  return {
    async insert(tx: Tx, verification: Verification, now: number): Promise<void> {
      await tx
        .on<VerificationTables>()
        .insertInto('verification')
        .values({
          id: verification.id,
          target: verification.target,
          usage: verification.usage,
          code_hash: verification.codeHash,
          token_hash: null,
          attempts: 0,
          created_at: now,
          expires_at: verification.expiresAt,
          verified_at: null,
          used_at: null,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<{ target: string; usage: string } | undefined> {
      return sql
        .on<VerificationTables>()
        .selectFrom('verification')
        .select(['target', 'usage'])
        .where('id', '=', id)
        .executeTakeFirst();
    },

    /** Uses up one of the attempts; undefined if none is left or the code has expired. */
    async spendAttempt(tx: Tx, id: string, most: number, now: number): Promise<Verification | undefined> {
      const row = await tx
        .on<VerificationTables>()
        .updateTable('verification')
        .set({ attempts: raw<number>`attempts + 1` })
        .where('id', '=', id)
        .where('attempts', '<', most)
        .where('expires_at', '>', now)
        .where('verified_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          target: row.target,
          usage: row.usage,
          codeHash: row.code_hash,
          expiresAt: row.expires_at,
        }
      );
    },

    async verify(tx: Tx, id: string, tokenHash: string, now: number, expiresAt: number): Promise<void> {
      await tx
        .on<VerificationTables>()
        .updateTable('verification')
        .set({ token_hash: tokenHash, verified_at: now, expires_at: expiresAt })
        .where('id', '=', id)
        .execute();
    },

    /** Marks the proof of an address as used; returns false if it is unknown, expired or was used already. */
    async useProof(
      tx: Tx,
      proof: { tokenHash: string; target: string; usage: string },
      now: number,
    ): Promise<boolean> {
      const result = await tx
        .on<VerificationTables>()
        .updateTable('verification')
        .set({ used_at: now })
        .where('token_hash', '=', proof.tokenHash)
        .where('target', '=', proof.target)
        .where('usage', '=', proof.usage)
        .where('expires_at', '>', now)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async holdsProof(
      sql: Sql,
      proof: { tokenHash: string; target: string; usage: string },
      now: number,
    ): Promise<boolean> {
      const row = await sql
        .on<VerificationTables>()
        .selectFrom('verification')
        .select('id')
        .where('token_hash', '=', proof.tokenHash)
        .where('target', '=', proof.target)
        .where('usage', '=', proof.usage)
        .where('expires_at', '>', now)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns the address of an unused proof. */
    async targetOf(sql: Sql, tokenHash: string, usage: string, now: number): Promise<string | undefined> {
      const row = await sql
        .on<VerificationTables>()
        .selectFrom('verification')
        .select('target')
        .where('token_hash', '=', tokenHash)
        .where('usage', '=', usage)
        .where('expires_at', '>', now)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return row?.target;
    },

    async removeOf(tx: Tx, target: string): Promise<void> {
      await tx.on<VerificationTables>().deleteFrom('verification').where('target', '=', target).execute();
    },

    async removeBefore(tx: Tx, time: number): Promise<void> {
      await tx.on<VerificationTables>().deleteFrom('verification').where('expires_at', '<', time).execute();
    },
  };
}

export type VerificationStore = ReturnType<typeof createVerificationStore>;
