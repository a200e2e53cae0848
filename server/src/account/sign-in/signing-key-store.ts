import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { SignInTables } from './sign-in-tables.ts';

export interface SigningKeyRow {
  readonly kid: string;
  /** The private key as an encrypted JWK. */
  readonly private: string;
  readonly createdAt: number;
}

export function createSigningKeyStore() {
  return {
    /** Lists keys, the newest first. */
    async list(sql: Sql): Promise<SigningKeyRow[]> {
      const rows = await sql
        .on<SignInTables>()
        .selectFrom('signing_key')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('kid')
        .execute();
      return rows.map((row) => ({ kid: row.kid, private: row.private, createdAt: row.created_at }));
    },

    async insert(tx: Tx, key: SigningKeyRow): Promise<void> {
      await tx
        .on<SignInTables>()
        .insertInto('signing_key')
        .values({ kid: key.kid, private: key.private, created_at: key.createdAt })
        .execute();
    },

    async removeBefore(tx: Tx, before: number): Promise<void> {
      await tx.on<SignInTables>().deleteFrom('signing_key').where('created_at', '<', before).execute();
    },
  };
}

export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>;
