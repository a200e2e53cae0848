import { timingSafeEqual } from 'node:crypto';
import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { Database, Place, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock, Config, Ids, Keys } from '../foundation/index.ts';
import type { Guard } from '../shield/index.ts';
import type { Settings } from '../site/index.ts';
import type { AccountStore } from './account-store.ts';
import { displayName, emailKey, isEmail, judgePassword, type AccountRow, type Role } from './account.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { Delivery, Grant, SessionMaker, Sessions } from './session-service.ts';
import type { Verifications } from './verification-service.ts';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly locale?: Locale | undefined;
}

export interface Accounts {
  find(sql: Sql, id: string): Promise<AccountRow | undefined>;
  byEmail(sql: Sql, email: string): Promise<AccountRow | undefined>;
  list(sql: Sql, place: Place | undefined, limit: number): Promise<AccountRow[]>;
  /** Says who must know of a new account; runs in the transaction that opens it. */
  onOpened(tell: (tx: Tx, account: AccountRow) => Promise<void>): void;
  signUp(
    request: NewAccount & { proof: string | undefined },
    kind: Delivery,
    maker: SessionMaker,
  ): Promise<Grant>;
  /** Opens an account at an operator's word: no proof of the address, no session. */
  add(account: NewAccount, role: Role): Promise<AccountRow>;
  makeOperator(id: string): Promise<void>;
  /** Ends every session at once and lets nobody in until it is undone. */
  freeze(id: string, frozen: boolean): Promise<void>;
  /** Creates the operator that the settings name, where there is none yet. */
  ensureConfiguredOperator(): Promise<void>;
  /** What proves that its holder may create the operator; undefined once there is one. */
  setUpToken(): Promise<string | undefined>;
  /** Claims the set-up token, once. */
  setUp(request: NewAccount & { setUpToken: string }, kind: Delivery, maker: SessionMaker): Promise<Grant>;
}

const SET_UP = 'operator-set-up';
const SIGN_UP_USAGE = 'REGISTER';

interface Parts {
  database: Database;
  store: AccountStore;
  sessions: Sessions;
  verifications: Verifications;
  hashing: PasswordHashing;
  settings: Settings;
  guard: Guard;
  config: Config;
  keys: Keys;
  clock: Clock;
  ids: Ids;
  /** Whether sign-up must prove its address. */
  provesAddresses: boolean;
}

export function createAccounts(parts: Parts): Accounts {
  const { database, store, sessions, verifications, hashing, settings, guard, config, keys, clock, ids } =
    parts;
  const listeners: ((tx: Tx, account: AccountRow) => Promise<void>)[] = [];

  /** The checked account with its password hashed, not yet in the database. */
  async function prepare({ email, password, name, locale }: NewAccount, role: Role): Promise<AccountRow> {
    const address = email.trim().normalize('NFC');
    if (!isEmail(address)) throw new ApiFailure('invalid_argument', { field: 'email' });
    judgePassword(password, address);
    if (await store.byEmailKey(database, emailKey(address))) throw new ApiFailure('email_taken');
    const passwordHash = await hashing.hash(password);
    const now = clock.now();
    return {
      id: ids.next(),
      email: address,
      name: displayName(name, address),
      picture: '',
      passwordHash,
      role,
      status: 'active',
      locale,
      createdAt: now,
      passwordUpdatedAt: now,
      newDeviceMail: true,
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

  /** The operator set up once: later claims and links are dead. */
  async function becomeOperator(tx: Tx, id: string): Promise<void> {
    await settings.take(tx, SET_UP);
    await store.setRole(tx, id, 'operator');
  }

  const accounts: Accounts = {
    find: (sql, id) => store.find(sql, id),
    byEmail: (sql, email) => store.byEmailKey(sql, emailKey(email)),
    list: (sql, place, limit) => store.list(sql, place, limit),
    onOpened: (tell) => void listeners.push(tell),

    async signUp({ proof, ...request }, kind, maker) {
      if (!config.SIGN_UP) throw new ApiFailure('permission_denied');
      await guard.attempt('sign-up', maker.address);
      if (parts.provesAddresses) await verifications.require(request.email, SIGN_UP_USAGE, proof);
      const account = await prepare(request, 'member');
      const opened = await database.transaction(async (tx) => {
        if (parts.provesAddresses) await verifications.use(tx, account.email, SIGN_UP_USAGE, proof);
        await insert(tx, account);
        return sessions.open(tx, account, kind, maker, 'sign_up');
      });
      return sessions.grant(opened, maker.origin);
    },

    async add(request, role) {
      const account = await prepare(request, role);
      await database.transaction(async (tx) => {
        await insert(tx, account);
        if (role === 'operator') await becomeOperator(tx, account.id);
      });
      return account;
    },

    makeOperator: (id) => database.transaction((tx) => becomeOperator(tx, id)),

    async freeze(id, frozen) {
      await database.transaction(async (tx) => {
        await tx.lock(`account:${id}`);
        await store.setStatus(tx, id, frozen ? 'frozen' : 'active');
        if (frozen) await sessions.endAll(tx, id);
      });
    },

    async ensureConfiguredOperator() {
      const { OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password } = config;
      if (email === undefined || password === undefined || (await store.hasOperator(database))) return;
      await accounts.add({ email, password }, 'operator');
    },

    async setUpToken() {
      if (await store.hasOperator(database)) return undefined;
      return database.transaction(async (tx) => {
        const token = ids.secret();
        // Sealed, so that each start prints the same link and a copy of the database opens nothing.
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
