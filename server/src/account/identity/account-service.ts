import { timingSafeEqual } from 'node:crypto';
import { ApiFailure, type Locale } from '@bowerbird/contract';
import {
  isUniqueViolation,
  type Database,
  type Place,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import type { Clock, Config, Ids, Keys } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Settings } from '../../site/index.ts';
import type { AccountStore } from '../account-store.ts';
import {
  displayName,
  emailKey,
  isEmail,
  judgePassword,
  requireUsable,
  type AccountRow,
  type Role,
  type Status,
} from '../account.ts';
import type { Destination, Destinations, Verifications } from '../verification/index.ts';
import type { Notice, Notices } from '../notice/index.ts';
import type { PasswordHashing } from '../credential/index.ts';
import type { SessionTransport, Grant, SessionMaker, Sessions } from '../sign-in/index.ts';

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

export interface Accounts {
  find(sql: Sql, id: string): Promise<AccountRow | undefined>;
  byEmail(sql: Sql, email: string): Promise<AccountRow | undefined>;
  /** Finds an account by an address or a phone number in any spelling, or by its id. */
  named(sql: Sql, name: string): Promise<AccountRow | undefined>;
  /** Lists accounts, the oldest first; only those with `status` if given. */
  list(sql: Sql, place: Place | undefined, limit: number, status?: Status): Promise<AccountRow[]>;
  counts(sql: Sql): Promise<{ all: number; waiting: number; frozen: number }>;
  /** Hook for new accounts; runs in the transaction that creates one. */
  onOpened(tell: (tx: Tx, account: AccountRow) => Promise<void>): void;
  signUp(
    request: Omit<NewAccount, 'email'> & { to: Destination; proof: string | undefined },
    kind: SessionTransport,
    maker: SessionMaker,
  ): Promise<Grant>;
  /**
   * Creates an account on behalf of an administrator, without verifying the address and without a session; if
   * no password is given, its owner sets one.
   */
  add(account: Invited, role: Role): Promise<AccountRow>;
  /** Creates an account vouched for by an external provider: without a password, and within `tx`. */
  welcome(tx: Tx, account: Omit<NewAccount, 'password'>): Promise<AccountRow>;
  makeOperator(id: string): Promise<void>;
  /** Hook for accounts that are frozen or put under review; runs in the transaction that does so. */
  onFrozen(tell: (tx: Tx, account: string) => Promise<void>): void;
  /**
   * Ends all sessions at once and refuses sign-ins until undone; undoing ends a review as well. Returns false if there
   * is nothing to undo: an account that waits for approval keeps waiting.
   */
  freeze(id: string, frozen: boolean): Promise<boolean>;
  /** Approves a waiting account and notifies its owner by mail. Returns false if the account is not waiting. */
  admit(id: string): Promise<boolean>;
  /** Puts an account under review, which works like freezing; its owner is informed of the review. */
  review(id: string): Promise<void>;
  /** Sends a notice to every administrator by mail, in their language. */
  tellOperators(
    tx: Tx,
    notice: Notice,
    values: (locale: Locale) => Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Creates the administrator named in the settings, unless one exists. */
  ensureConfiguredOperator(): Promise<void>;
  /** Returns the token that authorizes creating the administrator; undefined once one exists. */
  setUpToken(): Promise<string | undefined>;
  /** Claims the set-up token, once. */
  setUp(
    request: NewAccount & { setUpToken: string },
    kind: SessionTransport,
    maker: SessionMaker,
  ): Promise<Grant>;
}

const SET_UP = 'operator-set-up';
const SIGN_UP_USAGE = 'REGISTER';

interface Parts {
  database: Database;
  store: AccountStore;
  destinations: Destinations;
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
  const { database, store, destinations, sessions, verifications, hashing, settings, notices, guard } = parts;
  const { config, keys, clock, ids } = parts;
  const listeners: ((tx: Tx, account: AccountRow) => Promise<void>)[] = [];
  const told: ((tx: Tx, account: string) => Promise<void>)[] = [];

  const addressOf = (email: string): string => {
    const address = email.trim().normalize('NFC');
    if (!isEmail(address)) throw new ApiFailure('invalid_argument', { field: 'email' });
    return address;
  };

  /** Validates an account before it is inserted, and hashes its password if it has one. */
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
      closesAt: undefined,
    };
  }

  async function insert(tx: Tx, account: AccountRow): Promise<void> {
    if (!(await store.insert(tx, account, emailKey(account.email)))) throw new ApiFailure('email_taken');
    for (const tell of listeners) await tell(tx, account);
  }

  const mayTake = (offered: string, real: string | undefined): boolean => {
    const expected = Buffer.from(real ?? '');
    const given = Buffer.from(offered);
    return real !== undefined && expected.length === given.length && timingSafeEqual(expected, given);
  };

  /** Makes the account the administrator, once: later claims and links are invalid. */
  async function becomeOperator(tx: Tx, id: string): Promise<void> {
    await settings.take(tx, SET_UP);
    await store.setRole(tx, id, 'operator');
  }

  const tellOperators: Accounts['tellOperators'] = async (tx, notice, values) => {
    for (const operator of await store.operators(tx))
      await notices.tell(tx, operator, notice, values(operator.locale ?? 'en-US'));
  };

  /**
   * Notifies administrators of a waiting account. Commands in the mail use its id: an address may contain shell
   * metacharacters.
   */
  async function notifyOfSignUp(tx: Tx, { id, email, phone }: AccountRow): Promise<undefined> {
    await tellOperators(tx, 'askedIn', () => ({ who: email || phone, id }));
  }

  const shut = (id: string, status: 'frozen' | 'review'): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      await store.setStatus(tx, id, status);
      await sessions.endAll(tx, id);
      for (const tell of told) await tell(tx, id);
    });

  const thaw = (id: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      await tx.lock(`account:${id}`);
      const account = await store.find(tx, id);
      if (account?.status !== 'frozen' && account?.status !== 'review') return false;
      await store.setStatus(tx, id, 'active');
      return true;
    });

  const accounts: Accounts = {
    find: (sql, id) => store.find(sql, id),
    byEmail: (sql, email) => store.byContact(sql, emailKey(email)),
    named(sql, name) {
      const key = destinations.keyOf(name);
      return key === undefined ? store.find(sql, name.trim()) : store.byContact(sql, key);
    },
    list: (sql, place, limit, status) => store.list(sql, place, limit, status),
    counts: (sql) => store.counts(sql),
    onOpened: (tell) => void listeners.push(tell),
    onFrozen: (tell) => void told.push(tell),

    async signUp({ to, proof, ...request }, kind, maker) {
      if (config.SIGN_UP === 'closed') throw new ApiFailure('permission_denied');
      await guard.attempt('sign-up', maker.address);
      const mustProve = to.kind === 'phone' || parts.provesAddresses;
      if (mustProve) await verifications.require(to.key, SIGN_UP_USAGE, proof);
      const contact = to.kind === 'phone' ? { email: '', phone: to.to } : { email: to.to };
      const prepared = await prepare({ ...request, ...contact }, 'member');
      const account: AccountRow =
        config.SIGN_UP === 'approval' ? { ...prepared, status: 'waiting' } : prepared;
      try {
        const opened = await database.transaction(async (tx) => {
          if (mustProve) await verifications.use(tx, to.key, SIGN_UP_USAGE, proof);
          await insert(tx, account);
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
      const account = await prepare(request, role);
      await database.transaction(async (tx) => {
        await insert(tx, account);
        if (role === 'operator') await becomeOperator(tx, account.id);
      });
      return account;
    },

    async welcome(tx, request) {
      const account = fresh({ ...request, email: addressOf(request.email) }, 'member', undefined);
      await insert(tx, account);
      return account;
    },

    tellOperators,
    makeOperator: (id) => database.transaction((tx) => becomeOperator(tx, id)),

    async freeze(id, frozen) {
      if (!frozen) return thaw(id);
      await shut(id, 'frozen');
      return true;
    },
    review: (id) => shut(id, 'review'),

    admit: (id) =>
      database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        const account = await store.find(tx, id);
        if (account?.status !== 'waiting') return false;
        await store.setStatus(tx, id, 'active');
        await notices.tell(tx, account, 'letIn');
        return true;
      }),

    async ensureConfiguredOperator() {
      const { OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password } = config;
      if (email === undefined || password === undefined || (await store.hasOperator(database))) return;
      const account = await prepare({ email, password }, 'operator').catch(async (error: unknown) => {
        // Another server that is starting now created the administrator first.
        if (await store.hasOperator(database)) return undefined;
        throw error;
      });
      if (!account) return;
      await database.transaction(async (tx) => {
        await tx.lock(SET_UP);
        if (await store.hasOperator(tx)) return;
        await insert(tx, account);
        await becomeOperator(tx, account.id);
      });
    },

    async setUpToken() {
      if (await store.hasOperator(database)) return undefined;
      return database.transaction(async (tx) => {
        const token = ids.secret();
        // Encrypted, so that each start prints the same link and a copy of the database reveals nothing.
        const known = keys.decrypt(SET_UP, await settings.propose(tx, SET_UP, keys.encrypt(SET_UP, token)));
        if (known === undefined) await settings.set(tx, SET_UP, keys.encrypt(SET_UP, token));
        return known ?? token;
      });
    },

    async setUp({ setUpToken, ...request }, kind, maker) {
      const sealed = await settings.get(database, SET_UP);
      if (!mayTake(setUpToken, sealed === undefined ? undefined : keys.decrypt(SET_UP, sealed))) {
        throw new ApiFailure('permission_denied');
      }
      const account = await prepare(request, 'operator');
      const opened = await database.transaction(async (tx) => {
        await tx.lock(SET_UP);
        if (!(await settings.take(tx, SET_UP)) || (await store.hasOperator(tx))) {
          throw new ApiFailure('permission_denied');
        }
        await insert(tx, account);
        return sessions.open(tx, account, kind, maker, 'sign_up');
      });
      return sessions.grant(opened, maker.origin);
    },
  };
  return accounts;
}
