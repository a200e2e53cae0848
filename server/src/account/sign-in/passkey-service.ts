import { randomBytes } from 'node:crypto';
import { ApiFailure, LIMITS } from '@bowerbird/contract';
import { isUniqueViolation, type Database } from '../../foundation/database/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { AccountStore } from '../account-store.ts';
import { oneLine, type AccountRow } from '../account.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import type { Admission } from './admission.ts';
import type { Notices } from '../notice/index.ts';
import type { PasskeyStore } from './passkey-store.ts';
import type { PasskeyRow } from './passkey.ts';
import type { Owner, PasswordChecks } from '../credential/index.ts';
import type { Sessions } from './session-service.ts';
import type { Grant, SessionMaker, SessionTransport } from './session.ts';
import { checkNewKey, checkSigned, siteOf, type NewKey, type Signed } from './webauthn.ts';

/** Challenge for an authenticator. */
export interface Question {
  readonly id: string;
  readonly challenge: string;
  readonly site: string;
}

/** Keys on members' devices, which sign in without a password. */
export interface Passkeys {
  list(account: string): Promise<PasskeyRow[]>;
  /** Requests a new key from a device of the owner. */
  begin(
    owner: Owner,
    origin: string,
  ): Promise<{ question: Question; account: AccountRow; known: PasskeyRow[] }>;
  add(
    account: string,
    key: NewKey & { question: string; name: string; transports: readonly string[] },
    origin: string,
  ): Promise<PasskeyRow>;
  rename(account: string, id: string, name: string): Promise<void>;
  remove(owner: Owner, id: string): Promise<void>;
  /** Requests a key of this site from any device. */
  ask(maker: SessionMaker): Promise<Question>;
  signIn(
    signed: Signed & { id: string; question: string },
    kind: SessionTransport,
    maker: SessionMaker,
  ): Promise<Grant>;
  forgetOld(): Promise<void>;
}

const ADD = 'passkey-add';
const ENTER = 'passkey-enter';
const HELD_MS = 300_000;
const NAME_LENGTH = 64;
const ID_LENGTH = 1400;

interface Parts {
  database: Database;
  accounts: AccountStore;
  store: PasskeyStore;
  sessions: Sessions;
  checks: PasswordChecks;
  signInHistory: SignInHistory;
  admission: Pick<Admission, 'admit'>;
  notices: Notices;
  guard: Guard;
  clock: Clock;
  ids: Ids;
}

export function createPasskeys(parts: Parts): Passkeys {
  const { database, accounts, store, sessions, checks, signInHistory, admission, notices, guard } = parts;
  const { clock, ids } = parts;

  async function question(purpose: string, account: string | undefined, origin: string): Promise<Question> {
    const id = ids.secret();
    const challenge = randomBytes(32).toString('base64url');
    const expiresAt = clock.now() + HELD_MS;
    await database.transaction((tx) => store.ask(tx, { id, purpose, account, value: challenge, expiresAt }));
    return { id, challenge, site: siteOf(origin).id };
  }

  /** Returns the challenge; each can be answered once, right or wrong. */
  async function asked(id: string, purpose: string, account: string | undefined): Promise<string> {
    const challenge = await database.transaction((tx) =>
      store.answered(tx, id, purpose, account, clock.now()),
    );
    if (challenge === undefined) throw new ApiFailure('token_expired');
    return challenge;
  }

  const nameOf = (text: string): string => {
    const name = oneLine(text, NAME_LENGTH);
    if (name === '') throw new ApiFailure('invalid_argument', { field: 'name' });
    return name;
  };

  return {
    list: (account) => store.list(database, account),

    async begin({ account: id, password, address }, origin) {
      const account = await checks.confirm(id, password, address);
      return {
        question: await question(ADD, id, origin),
        account,
        known: await store.list(database, id),
      };
    },

    async add(account, { question: asking, name, transports, ...key }, origin) {
      const called = nameOf(name);
      const counter = checkNewKey(key, await asked(asking, ADD, account), siteOf(origin));
      if (counter === undefined || key.id.length > ID_LENGTH) throw new ApiFailure('access_denied');
      const { id, publicKey } = key;
      const createdAt = clock.now();
      const row = { id, account, name: called, publicKey, counter, transports, createdAt, usedAt: undefined };
      try {
        await database.transaction(async (tx) => {
          await tx.lock(`account:${account}`);
          if ((await store.list(tx, account)).length >= LIMITS.passkeys)
            throw new ApiFailure('account_limit');
          await store.insert(tx, row);
          await notices.tell(tx, (await accounts.find(tx, account))!, 'passkeyAdded', { passkey: called });
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new ApiFailure('already_exists') : error;
      }
      return row;
    },

    async rename(account, id, name) {
      const called = nameOf(name);
      const isDone = await database.transaction((tx) => store.rename(tx, account, id, called));
      if (!isDone) throw new ApiFailure('not_found');
    },

    async remove({ account, password, address }, id) {
      await checks.confirm(account, password, address);
      if (!(await database.transaction((tx) => store.remove(tx, account, id))))
        throw new ApiFailure('not_found');
    },

    async ask({ address, origin }) {
      await guard.attempt('', address);
      return question(ENTER, undefined, origin);
    },

    async signIn({ id, question: asking, ...signed }, kind, maker) {
      const challenge = await asked(asking, ENTER, undefined);
      const key = await store.find(database, id);
      const account = key && (await accounts.find(database, key.account));
      const counter = key && checkSigned(signed, challenge, siteOf(maker.origin), key);
      if (!key || !account || counter === undefined) {
        signInHistory.recordFailure(account, 'passkey', maker);
        throw new ApiFailure('access_denied');
      }
      admission.admit(account, 'passkey');
      const opened = await database.transaction(async (tx) => {
        await sessions.hold(tx, account);
        if (!(await store.use(tx, key, counter, clock.now()))) throw new ApiFailure('access_denied');
        return sessions.open(tx, account, kind, maker, 'passkey');
      });
      return sessions.grant(opened, maker.origin);
    },

    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now())),
  };
}
