import { timingSafeEqual } from 'node:crypto';
import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Config, Ids, Keys } from '../../foundation/index.ts';
import type { Settings } from '../../site/index.ts';
import type { AccountStore } from '../account-store.ts';
import type { Notice, Notices } from '../notice/index.ts';
import type { Grant, SessionMaker, Sessions, SessionTransport } from '../sign-in/index.ts';
import type { AccountCreations, NewAccount } from './account-creation-service.ts';

/** Administrators: creation of the first one, and notices to all of them. */
export interface Operators {
  makeOperator(id: string): Promise<void>;
  /** Makes an account an administrator within the caller's transaction: later claims and links are invalid. */
  appoint(tx: Tx, id: string): Promise<void>;
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

export function createOperators({
  database,
  store,
  creations,
  sessions,
  settings,
  notices,
  config,
  keys,
  ids,
}: {
  database: Database;
  store: AccountStore;
  creations: AccountCreations;
  sessions: Sessions;
  settings: Settings;
  notices: Notices;
  config: Config;
  keys: Keys;
  ids: Ids;
}): Operators {
  const mayTake = (offered: string, real: string | undefined): boolean => {
    const expected = Buffer.from(real ?? '');
    const given = Buffer.from(offered);
    return real !== undefined && expected.length === given.length && timingSafeEqual(expected, given);
  };

  async function appoint(tx: Tx, id: string): Promise<void> {
    await settings.take(tx, SET_UP);
    await store.setRole(tx, id, 'operator');
  }

  return {
    makeOperator: (id) => database.transaction((tx) => appoint(tx, id)),
    appoint,

    async tellOperators(tx, notice, values) {
      for (const operator of await store.operators(tx))
        await notices.tell(tx, operator, notice, values(operator.locale ?? 'en-US'));
    },

    async ensureConfiguredOperator() {
      const { OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password } = config;
      if (email === undefined || password === undefined || (await store.hasOperator(database))) return;
      const account = await creations
        .prepare({ email, password }, 'operator')
        .catch(async (error: unknown) => {
          // Another server that is starting now created the administrator first.
          if (await store.hasOperator(database)) return undefined;
          throw error;
        });
      if (!account) return;
      await database.transaction(async (tx) => {
        await tx.lock(SET_UP);
        if (await store.hasOperator(tx)) return;
        await creations.insert(tx, account);
        await appoint(tx, account.id);
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
      const account = await creations.prepare(request, 'operator');
      const opened = await database.transaction(async (tx) => {
        await tx.lock(SET_UP);
        if (!(await settings.take(tx, SET_UP)) || (await store.hasOperator(tx))) {
          throw new ApiFailure('permission_denied');
        }
        await creations.insert(tx, account);
        return sessions.open(tx, account, kind, maker, 'sign_up');
      });
      return sessions.grant(opened, maker.origin);
    },
  };
}
