import { ApiFailure } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { AccountStore } from '../account-store.ts';
import { emailKey, judgePassword, type AccountRow } from '../account.ts';
import type { Notices } from '../notice/index.ts';
import type { PassStore, PasswordChecks, PasswordHashing, SecondFactorStore } from '../credential/index.ts';
import type { SessionStore } from './session-store.ts';
import type { Verifications } from '../verification/index.ts';

export interface Passwords {
  /** Ends every other session, and every app password and token unless they are kept. */
  change(change: {
    account: string;
    session: string;
    password: string;
    next: string;
    keepPasses: boolean;
    address: string;
  }): Promise<void>;
  /** Sets the password for the holder of a proof of the address; ends all access obtained with the old one. */
  reset(proof: string, next: string): Promise<void>;
  /** Returns a token that allows setting a new password once, for administrators to pass on. */
  oneTimeToken(account: Pick<AccountRow, 'email' | 'phone'>): Promise<string>;
}

const USAGE = 'PASSWORD_RESET';
const TOKEN_SECONDS = 24 * 3600;

interface Parts {
  database: Database;
  accounts: AccountStore;
  sessions: SessionStore;
  passes: PassStore;
  secondFactors: SecondFactorStore;
  verifications: Verifications;
  checks: PasswordChecks;
  hashing: PasswordHashing;
  notices: Notices;
  clock: Clock;
}

export function createPasswords(parts: Parts): Passwords {
  const { database, accounts, sessions, passes, secondFactors, verifications, checks, hashing, notices } =
    parts;
  const { clock } = parts;

  /** All access that somebody may have obtained with the old password ends in the transaction that changes it. */
  async function set(
    tx: Tx,
    account: AccountRow,
    hash: string,
    kept: { session?: string; passes: boolean },
  ): Promise<void> {
    const now = clock.now();
    await accounts.setPassword(tx, account.id, hash, now);
    await sessions.revokeAll(tx, account.id, now, kept.session);
    await secondFactors.forgetDevices(tx, account.id);
    if (!kept.passes) await passes.removeAll(tx, account.id);
    await notices.tell(tx, account, 'passwordChanged');
  }

  return {
    async change({ account: id, session, password, next, keepPasses, address }) {
      const account = await checks.confirm(id, password, address);
      judgePassword(next, account.email || account.phone);
      const hash = await hashing.hash(next);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const now = await accounts.find(tx, id);
        if (now?.passwordHash !== account.passwordHash) throw new ApiFailure('invalid_password');
        await set(tx, account, hash, { session, passes: keepPasses });
      });
    },

    async reset(proof, next) {
      const proven = await verifications.provenBy(USAGE, proof);
      const account = await accounts.byContact(database, proven);
      if (!account) throw new ApiFailure('verification_code_expired');
      judgePassword(next, account.email || account.phone);
      const hash = await hashing.hash(next);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${account.id}`);
        await verifications.use(tx, proven, USAGE, proof);
        await set(tx, account, hash, { passes: false });
      });
    },

    oneTimeToken: ({ email, phone }) => verifications.vouch(emailKey(email) || phone, USAGE, TOKEN_SECONDS),
  };
}
