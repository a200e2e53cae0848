import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Guard } from '../shield/index.ts';
import type { AccountStore } from './account-store.ts';
import type { AccountRow } from './account.ts';
import type { Destinations } from './destination.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { Attempt, SignInGuard } from './sign-in-guard.ts';

/** Who is at the account's own pages: what they change asks for the password. */
export interface Owner {
  readonly account: string;
  readonly password: string;
  readonly address: string;
}

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
  return {
    find(username) {
      const name = username.trim();
      const key = destinations.keyOf(name);
      return key === undefined ? accounts.find(database, name) : accounts.byContact(database, key);
    },

    async compare(account, { password, ...attempt }) {
      const { wait, succeed } = await guard.attempt(account, attempt);
      const isRight = await hashing.matches(account?.passwordHash, password);
      if (isRight) await succeed();
      return { isRight, wait };
    },

    async confirm(id, password, address) {
      const account = await accounts.find(database, id);
      if (!account) throw new ApiFailure('unauthenticated');
      await owners.attempt(id, address);
      if (!(await hashing.matches(account.passwordHash, password))) throw new ApiFailure('invalid_password');
      await owners.succeed(id, address);
      return account;
    },
  };
}
