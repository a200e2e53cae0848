import { createHmac, randomBytes } from 'node:crypto';
import { ApiFailure } from '@bowerbird/contract';
import { createFlights } from '../../foundation/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { AccountRow } from '../account.ts';
import type { Recipients } from '../verification/index.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { Attempt, SignInGuard } from './sign-in-guard.ts';

/** Signed-in owner who changes something on the account pages, which requires the password. */
export interface Owner {
  readonly account: string;
  readonly password: string;
  readonly address: string;
}

/** Returns the owner who sent a password from a network address. */
export const ownerOf = (account: string, password: string, { address }: { address: string }): Owner => ({
  account,
  password,
  address,
});

/**
 * Password comparison for every entry point: wrong passwords are counted together, and known and unknown names
 * take the same time.
 */
export interface PasswordChecks {
  /** Finds an account by an address or a phone number in any spelling, or by its id. */
  find(name: string): Promise<AccountRow | undefined>;
  /** Returns whether the password is the account's, and the seconds until another one would be compared. */
  compare(
    account: AccountRow | undefined,
    attempt: Attempt & { password: string },
  ): Promise<{ isRight: boolean; wait: number }>;
  /** Verifies that the holder of a session is the account's owner, before an action reserved to the owner. */
  confirm(account: string, password: string, address: string): Promise<AccountRow>;
}

interface Parts {
  database: Database;
  accounts: AccountStore;
  recipients: Recipients;
  hashing: PasswordHashing;
  guard: SignInGuard;
  /** Counter for signed-in members, so that strangers' guesses at sign-in don't delay them. */
  owners: Guard;
}

export function createPasswordChecks(parts: Parts): PasswordChecks {
  const { database, accounts, recipients, hashing, guard, owners } = parts;
  const key = randomBytes(32);
  const keyOf = (...parts: readonly (string | undefined)[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(parts.map((part) => part ?? null)))
      .digest('base64url');
  // Programs send one password with many parallel requests. If it is right, that is one attempt; wrong ones all
  // count.
  const comparing = createFlights<{ isRight: boolean; wait: number }>(({ isRight }) => isRight);
  const confirming = createFlights<boolean>((isRight) => isRight);

  return {
    find(username) {
      const name = username.trim();
      const key = recipients.keyOf(name);
      return key === undefined ? accounts.find(database, name) : accounts.byContact(database, key);
    },

    async compare(account, { password, ...attempt }) {
      const { name, address, browser } = attempt;
      const hash = account?.passwordHash;
      return comparing(keyOf(account?.id, name, hash, password, address, browser), async () => {
        const { wait, succeed } = await guard.attempt(account, attempt);
        const isRight = await hashing.matches(hash, password);
        if (isRight) await succeed();
        return { isRight, wait };
      });
    },

    async confirm(id, password, address) {
      const account = await accounts.find(database, id);
      if (!account) throw new ApiFailure('unauthenticated');
      const isRight = await confirming(keyOf(id, account.passwordHash, password, address), async () => {
        await owners.attempt(id, address);
        const matches = await hashing.matches(account.passwordHash, password);
        if (matches) await owners.succeed(id, address);
        return matches;
      });
      if (!isRight) throw new ApiFailure('invalid_password');
      return account;
    },
  };
}
