import { createHmac, randomBytes } from 'node:crypto';
import { ApiFailure } from '@bowerbird/contract';
import { createFlights } from '../../foundation/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { AccountRow } from '../account.ts';
import type { Destinations } from '../verification/index.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { Attempt, SignInGuard } from './sign-in-guard.ts';

/** Who is at the account's own pages: what they change asks for the password. */
export interface Owner {
  readonly account: string;
  readonly password: string;
  readonly address: string;
}

/** The owner who sent a password from an address. */
export const ownerOf = (account: string, password: string, { address }: { address: string }): Owner => ({
  account,
  password,
  address,
});

/** Passwords compared at any door: wrong ones are counted together, and known and unknown names take the same time. */
export interface PasswordChecks {
  /** Finds who a name is: an address or a phone number however it is typed, or the id of an account. */
  find(name: string): Promise<AccountRow | undefined>;
  /** Whether the password is the account’s, and the seconds until another would be compared. */
  compare(
    account: AccountRow | undefined,
    attempt: Attempt & { password: string },
  ): Promise<{ isRight: boolean; wait: number }>;
  /** Makes sure that whoever holds a session is its owner, before something that only the owner may do. */
  confirm(account: string, password: string, address: string): Promise<AccountRow>;
}

interface Parts {
  database: Database;
  accounts: AccountStore;
  destinations: Destinations;
  hashing: PasswordHashing;
  guard: SignInGuard;
  /** Counts those who are signed in, whom no stranger's guesses at the door hold up. */
  owners: Guard;
}

export function createPasswordChecks(parts: Parts): PasswordChecks {
  const { database, accounts, destinations, hashing, guard, owners } = parts;
  const key = randomBytes(32);
  const keyOf = (...parts: readonly (string | undefined)[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(parts.map((part) => part ?? null)))
      .digest('base64url');
  // Programs send one password with many requests at once. Where it is right that is one attempt; wrong ones all count.
  const comparing = createFlights<{ isRight: boolean; wait: number }>(({ isRight }) => isRight);
  const confirming = createFlights<boolean>((isRight) => isRight);

  return {
    find(username) {
      const name = username.trim();
      const key = destinations.keyOf(name);
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
