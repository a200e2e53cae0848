import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { AccountStore } from '../account-store.ts';
import { displayName, emailKey, isEmail, judgePassword, type AccountRow, type Role } from '../account.ts';
import type { PasswordHashing } from '../credential/index.ts';

export interface NewAccount {
  readonly email: string;
  /** Verified number (E.164), instead of the email address. */
  readonly phone?: string | undefined;
  readonly password: string;
  readonly name?: string | undefined;
  readonly locale?: Locale | undefined;
}

/** Account created by an administrator. */
export type Invited = Omit<NewAccount, 'password'> & { readonly password: string | undefined };

/** Makes new accounts: first the validated row, then its insertion. */
export interface AccountCreations {
  /** Validates an account before it is inserted, and hashes its password if it has one. */
  prepare(request: Invited, role: Role): Promise<AccountRow>;
  insert(tx: Tx, account: AccountRow): Promise<void>;
  /** Creates an account vouched for by an external provider: without a password, and within `tx`. */
  welcome(tx: Tx, account: Omit<NewAccount, 'password'>): Promise<AccountRow>;
  /** Hook for new accounts; runs in the transaction that creates one. */
  onOpened(tell: (tx: Tx, account: AccountRow) => Promise<void>): void;
}

export function createAccountCreations({
  database,
  store,
  hashing,
  clock,
  ids,
}: {
  database: Database;
  store: AccountStore;
  hashing: PasswordHashing;
  clock: Clock;
  ids: Ids;
}): AccountCreations {
  const listeners: ((tx: Tx, account: AccountRow) => Promise<void>)[] = [];

  const addressOf = (email: string): string => {
    const address = email.trim().normalize('NFC');
    if (!isEmail(address)) throw new ApiFailure('invalid_argument', { field: 'email' });
    return address;
  };

  async function prepare({ password, ...rest }: Invited, role: Role): Promise<AccountRow> {
    const { phone } = rest;
    const email = phone === undefined ? addressOf(rest.email) : '';
    if (password !== undefined) judgePassword(password, phone ?? email);
    if (await store.byContact(database, phone ?? emailKey(email)))
      throw new ApiFailure(phone === undefined ? 'email_taken' : 'phone_taken');
    return fresh({ ...rest, email }, role, password === undefined ? undefined : await hashing.hash(password));
  }

  function fresh(
    { email: address, phone = '', name, locale }: Omit<NewAccount, 'password'>,
    role: Role,
    passwordHash: string | undefined,
  ): AccountRow {
    const now = clock.now();
    return {
      id: ids.next(),
      email: address,
      phone,
      name: displayName(name, address),
      picture: '',
      passwordHash,
      role,
      status: 'active',
      locale,
      createdAt: now,
      passwordUpdatedAt: passwordHash === undefined ? undefined : now,
      newDeviceMail: true,
      planMail: true,
      closesAt: undefined,
    };
  }

  async function insert(tx: Tx, account: AccountRow): Promise<void> {
    if (!(await store.insert(tx, account, emailKey(account.email)))) throw new ApiFailure('email_taken');
    for (const tell of listeners) await tell(tx, account);
  }

  return {
    prepare,
    insert,
    async welcome(tx, request) {
      const account = fresh({ ...request, email: addressOf(request.email) }, 'member', undefined);
      await insert(tx, account);
      return account;
    },
    onOpened: (tell) => void listeners.push(tell),
  };
}
