import { ApiFailure } from '@bowerbird/contract';
import {
  isUniqueViolation,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import type { Clock, Config, Ids, Keys } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Settings } from '../../site/index.ts';
import type { AccountStore } from '../account-store.ts';
import { emailKey, requireUsable, type AccountRow, type Role, type Status } from '../account.ts';
import type { PasswordHashing } from '../credential/index.ts';
import type { Notices } from '../notice/index.ts';
import type { Grant, SessionMaker, Sessions, SessionTransport } from '../sign-in/index.ts';
import type { Recipient, Recipients, Verifications } from '../verification/index.ts';
import {
  createAccountCreations,
  type AccountCreations,
  type Invited,
  type NewAccount,
} from './account-creation-service.ts';
import { createAccountStandings, type AccountStandings } from './account-standing-service.ts';
import { createOperators, type Operators } from './operator-service.ts';

export interface Accounts
  extends Pick<AccountCreations, 'welcome' | 'onOpened'>, AccountStandings, Omit<Operators, 'appoint'> {
  find(sql: Sql, id: string): Promise<AccountRow | undefined>;
  byEmail(sql: Sql, email: string): Promise<AccountRow | undefined>;
  /** Finds an account by an address or a phone number in any spelling, or by its id. */
  named(sql: Sql, name: string): Promise<AccountRow | undefined>;
  /** Lists accounts, the oldest first; only those with `status` if given. */
  list(sql: Sql, place: KeysetPosition | undefined, limit: number, status?: Status): Promise<AccountRow[]>;
  counts(sql: Sql): Promise<{ all: number; waiting: number; frozen: number }>;
  signUp(
    request: Omit<NewAccount, 'email'> & { to: Recipient; proof: string | undefined },
    kind: SessionTransport,
    maker: SessionMaker,
  ): Promise<Grant>;
  /**
   * Creates an account on behalf of an administrator, without verifying the address and without a session; if
   * no password is given, its owner sets one.
   */
  add(account: Invited, role: Role): Promise<AccountRow>;
}

const SIGN_UP_USAGE = 'REGISTER';

interface Parts {
  database: Database;
  store: AccountStore;
  recipients: Recipients;
  sessions: Sessions;
  verifications: Verifications;
  hashing: PasswordHashing;
  settings: Settings;
  notices: Notices;
  guard: Guard;
  config: Config;
  keys: Keys;
  clock: Clock;
  ids: Ids;
  /** True if a sign-up must prove its address. */
  provesAddresses: boolean;
}

export function createAccounts(parts: Parts): Accounts {
  const { database, store, recipients, sessions, verifications, guard, config } = parts;
  const creations = createAccountCreations(parts);
  const standings = createAccountStandings(parts);
  const operators = createOperators({ ...parts, creations });

  /**
   * Notifies administrators of a waiting account. Commands in the mail use its id: an address may contain shell
   * metacharacters.
   */
  async function notifyOfSignUp(tx: Tx, { id, email, phone }: AccountRow): Promise<undefined> {
    await operators.tellOperators(tx, 'askedIn', () => ({ who: email || phone, id }));
  }

  return {
    find: (sql, id) => store.find(sql, id),
    byEmail: (sql, email) => store.byContact(sql, emailKey(email)),
    named(sql, name) {
      const key = recipients.keyOf(name);
      return key === undefined ? store.find(sql, name.trim()) : store.byContact(sql, key);
    },
    list: (sql, place, limit, status) => store.list(sql, place, limit, status),
    counts: (sql) => store.counts(sql),
    onOpened: creations.onOpened,
    welcome: creations.welcome,
    ...standings,
    ...operators,

    async signUp({ to, proof, ...request }, kind, maker) {
      if (config.SIGN_UP === 'closed') throw new ApiFailure('permission_denied');
      await guard.attempt('sign-up', maker.address);
      const mustProve = to.kind === 'phone' || parts.provesAddresses;
      if (mustProve) await verifications.require(to.key, SIGN_UP_USAGE, proof);
      const contact = to.kind === 'phone' ? { email: '', phone: to.to } : { email: to.to };
      const prepared = await creations.prepare({ ...request, ...contact }, 'member');
      const account: AccountRow =
        config.SIGN_UP === 'approval' ? { ...prepared, status: 'waiting' } : prepared;
      try {
        const opened = await database.transaction(async (tx) => {
          if (mustProve) await verifications.use(tx, to.key, SIGN_UP_USAGE, proof);
          await creations.insert(tx, account);
          if (account.status === 'waiting') return notifyOfSignUp(tx, account);
          return sessions.open(tx, account, kind, maker, 'sign_up');
        });
        requireUsable(account);
        return await sessions.grant(opened!, maker.origin);
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiFailure('phone_taken') : error;
      }
    },

    async add(request, role) {
      const account = await creations.prepare(request, role);
      await database.transaction(async (tx) => {
        await creations.insert(tx, account);
        if (role === 'operator') await operators.appoint(tx, account.id);
      });
      return account;
    },
  };
}
