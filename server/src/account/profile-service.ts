import { ApiFailure } from '@bowerbird/contract';
import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { AccountChanges, AccountStore } from './account-store.ts';
import { emailKey, isEmail, displayName, type AccountRow } from './account.ts';
import type { Notices } from './notice-service.ts';
import type { PasswordChecks } from './password-check.ts';
import type { Verifications } from './verification-service.ts';

export interface Profiles {
  change(account: string, changes: AccountChanges): Promise<AccountRow>;
  /** Gives the account another address; where mail is delivered it must be proven. The old one is told. */
  changeEmail(change: {
    account: string;
    email: string;
    password: string;
    proof: string | undefined;
    address: string;
  }): Promise<void>;
}

const USAGE = 'EMAIL_CHANGE';

interface Parts {
  database: Database;
  accounts: AccountStore;
  verifications: Verifications;
  checks: PasswordChecks;
  notices: Notices;
  provesAddresses: boolean;
}

export function createProfiles(parts: Parts): Profiles {
  const { database, accounts, verifications, checks, notices, provesAddresses } = parts;
  return {
    change: (id, changes) =>
      database.transaction(async (tx) => {
        const account = await accounts.find(tx, id);
        if (!account) throw new ApiFailure('unauthenticated');
        const { name } = changes;
        const kept = name === undefined ? {} : { name: displayName(name, account.email) };
        await accounts.change(tx, id, { ...changes, ...kept });
        return (await accounts.find(tx, id))!;
      }),

    async changeEmail({ account: id, email: typed, password, proof, address }) {
      const email = typed.trim().normalize('NFC');
      if (!isEmail(email)) throw new ApiFailure('invalid_argument', { field: 'email' });
      const account = await checks.confirm(id, password, address);
      // Only whoever reads the address's mail learns whether somebody here has it.
      if (provesAddresses) await verifications.require(email, USAGE, proof);
      try {
        await database.transaction(async (tx) => {
          await tx.lock(`account:${id}`);
          if (provesAddresses) await verifications.use(tx, email, USAGE, proof);
          await accounts.setEmail(tx, id, email, emailKey(email));
          await notices.tell(tx, account, 'emailChanged', { email });
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiFailure('email_taken') : error;
      }
    },
  };
}
