import { ApiFailure } from '@bowerbird/contract';
import { isUniqueViolation, type Database } from '../../foundation/database/index.ts';
import type { AccountChanges, AccountStore } from '../account-store.ts';
import { emailKey, isEmail, displayName, type AccountRow } from '../account.ts';
import { maskedPhone, type Recipient, type Verifications } from '../verification/index.ts';
import type { Notices } from '../notice/index.ts';
import type { PasswordChecks } from '../credential/index.ts';

export interface Profiles {
  change(account: string, changes: AccountChanges): Promise<AccountRow>;
  /**
   * Changes the account's address; if mail is delivered, the new one must be verified. The old one is notified.
   */
  changeEmail(change: {
    account: string;
    email: string;
    password: string;
    proof: string | undefined;
    address: string;
  }): Promise<void>;
  /** Sets the account's phone to a verified number. */
  changePhone(change: {
    account: string;
    to: Recipient;
    password: string;
    proof: string;
    address: string;
  }): Promise<void>;
  /** Removes the phone if an email address is left to sign in with; otherwise throws `unsupported`. */
  removePhone(change: { account: string; password: string; address: string }): Promise<void>;
}

const USAGE = 'EMAIL_CHANGE';
const PHONE_USAGE = 'PHONE_CHANGE';

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
      // Only those who can read the mail learn whether an account has the address.
      if (provesAddresses) await verifications.require(emailKey(email), USAGE, proof);
      try {
        await database.transaction(async (tx) => {
          await tx.lock(`account:${id}`);
          if (provesAddresses) await verifications.use(tx, emailKey(email), USAGE, proof);
          await accounts.setEmail(tx, id, email, emailKey(email));
          await notices.tell(tx, account, 'emailChanged', { email });
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiFailure('email_taken') : error;
      }
    },

    async changePhone({ account: id, to, password, proof, address }) {
      const account = await checks.confirm(id, password, address);
      // Only those who have the phone learn whether an account has the number.
      await verifications.require(to.key, PHONE_USAGE, proof);
      try {
        await database.transaction(async (tx) => {
          await tx.lock(`account:${id}`);
          await verifications.use(tx, to.key, PHONE_USAGE, proof);
          await accounts.setPhone(tx, id, to.key);
          await notices.tell(tx, account, 'phoneChanged', { phone: maskedPhone(to.key) });
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiFailure('phone_taken') : error;
      }
    },

    async removePhone({ account: id, password, address }) {
      await checks.confirm(id, password, address);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const account = await accounts.find(tx, id);
        if (!account || account.email === '') throw new ApiFailure('unsupported');
        if (account.phone === '') return;
        await accounts.setPhone(tx, id, '');
        await notices.tell(tx, account, 'phoneRemoved', { phone: maskedPhone(account.phone) });
      });
    },
  };
}
