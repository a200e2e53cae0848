import { ApiFailure, LIMITS, type ErrorId, type PassKind, type Scope } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Member, Viewer } from '../../foundation/http/index.ts';
import type { Clock, Ids } from '../../foundation/index.ts';
import { isUsable, oneLine, refusalOf, type AccountRow } from '../account.ts';
import type { PassStore } from './pass-store.ts';
import { drawSecret, isOver, secretHash, TOKEN_PREFIX, type LivePass, type PassRow } from './pass.ts';
import type { Owner, PasswordChecks } from './password-check.ts';

export interface NewPass {
  readonly kind: PassKind;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Lifetime in days; 0 for unlimited. */
  readonly days: number | undefined;
}

/** Credentials with which programs sign in instead of the owner's password. */
export interface Passes {
  list(account: string): Promise<PassRow[]>;
  /** Creates a pass for its owner; the secret is returned only here. */
  create(
    account: string,
    asked: NewPass,
    owner: { password: string; address: string },
  ): Promise<{ pass: PassRow; secret: string }>;
  /** Revokes a pass and ends every session that it opened, at once; the owner confirms with the password. */
  revokeByOwner(owner: Owner, id: string): Promise<void>;
  /** Revokes a pass without the password, which the protocol's own call does not send. */
  revoke(account: string, id: string): Promise<void>;
  /**
   * Returns the viewer of an access token; null for any other text, for expired tokens, and if the account may
   * not be used.
   */
  identify(token: string, address: string): Promise<Viewer>;
  /** Returns why the account of an access token may not be used. */
  refusal(token: string): Promise<ErrorId | undefined>;
  /**
   * Returns this account's app password that matches the text, if any; does not check whether the account may be
   * used.
   */
  match(account: AccountRow | undefined, text: string, address: string): Promise<LivePass | undefined>;
  /** Returns true if a pass still exists. Call it while holding the account's lock. */
  holds(sql: Sql, pass: PassRow): Promise<boolean>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
/** Interval at which uses are written to the database; no request waits for it. */
const NOTED_EVERY_MS = 300_000;
const NAME_LENGTH = 64;

/** The session operations that passes need. */
export interface PassSessions {
  /** Ends the sessions that a pass of the account opened. */
  revokeOfPass(tx: Tx, pass: string, account: string, now: number): Promise<void>;
}

interface Parts {
  database: Database;
  store: PassStore;
  sessions: PassSessions;
  checks: PasswordChecks;
  clock: Clock;
  ids: Ids;
}

export const isAccessToken = (token: string): boolean => token.startsWith(TOKEN_PREFIX);

export const passMember = (pass: LivePass): Member => ({
  account: pass.account,
  session: pass.id,
  operator: pass.role === 'operator',
  by: 'token',
  scopes: new Set(pass.scopes),
});

export function createPasses({ database, store, sessions, checks, clock, ids }: Parts): Passes {
  async function live(kind: PassKind, secret: string): Promise<LivePass | undefined> {
    const pass = await store.bySecret(database, secretHash(kind, secret));
    return pass && !isOver(pass, clock.now()) ? pass : undefined;
  }

  async function note(pass: LivePass, address: string): Promise<void> {
    const now = clock.now();
    if (pass.usedFrom === address && now - (pass.usedAt ?? 0) < NOTED_EVERY_MS) return;
    await database.transaction((tx) => store.used(tx, pass.id, now, address));
  }

  async function revoke(account: string, id: string): Promise<void> {
    const found = await database.transaction(async (tx) => {
      await tx.lock(`account:${account}`);
      await sessions.revokeOfPass(tx, id, account, clock.now());
      return store.remove(tx, account, id);
    });
    if (!found) throw new ApiFailure('not_found');
  }

  return {
    list: (account) => store.list(database, account),

    async create(account, asked, { password, address }) {
      const pass = { ...judged(asked, clock.now()), id: ids.next(), account };
      await checks.confirm(account, password, address);
      const secret = drawSecret(pass.kind);
      await database.transaction(async (tx) => {
        await tx.lock(`account:${account}`);
        if ((await store.list(tx, account)).length >= LIMITS.passes) throw new ApiFailure('account_limit');
        await store.insert(tx, pass, secretHash(pass.kind, secret));
      });
      return { pass, secret };
    },

    async revokeByOwner({ account, password, address }, id) {
      await checks.confirm(account, password, address);
      await revoke(account, id);
    },

    revoke,

    async identify(token, address) {
      const pass = isAccessToken(token) ? await live('access_token', token) : undefined;
      if (!isUsable(pass)) return null;
      await note(pass, address);
      return passMember(pass);
    },

    async refusal(token) {
      const pass = isAccessToken(token) ? await live('access_token', token) : undefined;
      return pass && refusalOf(pass);
    },

    async match(account, text, address) {
      const pass = await live('app_password', text);
      if (!pass || pass.account !== account?.id) return undefined;
      await note(pass, address);
      return pass;
    },

    holds: async (sql, { id, account }) => (await store.list(sql, account)).some((pass) => pass.id === id),
    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now() - 30 * DAY_MS)),
  };
}

/** Validates a new pass: requires a name, removes duplicate scopes, and checks the expiry for its kind. */
function judged({ kind, name: asked, scopes, days = LIMITS.passDays }: NewPass, now: number) {
  const name = oneLine(asked, NAME_LENGTH);
  if (name === '') throw new ApiFailure('invalid_argument', { field: 'name' });
  if (kind === 'access_token' && days === 0) throw new ApiFailure('invalid_argument', { field: 'days' });
  if (days !== 0 && (days < LIMITS.passDaysMin || days > LIMITS.passDaysMax))
    throw new ApiFailure('invalid_argument', { field: 'days' });
  return {
    kind,
    name,
    scopes: [...new Set(scopes)],
    createdAt: now,
    expiresAt: days === 0 ? undefined : now + days * DAY_MS,
    usedAt: undefined,
    usedFrom: '',
  };
}
