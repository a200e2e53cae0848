import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Guard } from '../shield/index.ts';
import type { AccountStore } from './account-store.ts';
import { emailKey, type AccountRow } from './account.ts';
import type { PasswordHashing } from './password-hashing.ts';

/** Passwords compared at any door: wrong ones are counted together, and known and unknown names take the same time. */
export interface PasswordChecks {
  /** Finds who a name is: an address however it is typed, or the id of an account. */
  find(name: string): Promise<AccountRow | undefined>;
  /** Whether the password is the account’s. */
  isRight(
    account: AccountRow | undefined,
    attempt: { name: string; password: string; address: string },
  ): Promise<boolean>;
  /** Makes sure that whoever holds a session is its owner, before something that only the owner may do. */
  confirm(account: string, password: string, address: string): Promise<AccountRow>;
}

interface Parts {
  database: Database;
  accounts: AccountStore;
  hashing: PasswordHashing;
  guard: Guard;
}

export function createPasswordChecks({ database, accounts, hashing, guard }: Parts): PasswordChecks {
  const checks: PasswordChecks = {
    find(username) {
      const name = username.trim();
      return name.includes('@')
        ? accounts.byEmailKey(database, emailKey(name))
        : accounts.find(database, name);
    },

    async isRight(account, { name, password, address }) {
      const target = account?.id ?? `nobody:${emailKey(name)}`;
      await guard.attempt(target, address);
      if (!(await hashing.matches(account?.passwordHash, password))) return false;
      await guard.succeed(target, address);
      return true;
    },

    async confirm(id, password, address) {
      const account = await accounts.find(database, id);
      if (!account) throw new ApiFailure('unauthenticated');
      if (await checks.isRight(account, { name: id, password, address })) return account;
      throw new ApiFailure('invalid_password');
    },
  };
  return checks;
}
