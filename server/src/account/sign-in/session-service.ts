import { ApiFailure } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import type { AccountStore } from '../account-store.ts';
import { requireUsable, type AccountRow } from '../account.ts';
import type { LivePass, Passes } from '../credential/index.ts';
import type { AccessTokens } from './access-token.ts';
import { createRefreshChains } from './refresh-chain-service.ts';
import { createSessionIdentities, type SessionIdentities } from './session-identity-service.ts';
import { createSessionLifetimes } from './session-lifetime.ts';
import type { SessionStore } from './session-store.ts';
import {
  digest,
  type Grant,
  type OpenedSession,
  type SessionOrigin,
  type SessionRow,
  type SessionTransport,
} from './session.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import type { Way } from './sign-in-record.ts';

/** App to which the owner granted access, and its scopes. */
export interface AppBounds {
  readonly consent: string;
  readonly scopes: readonly string[];
}

export interface Sessions extends SessionIdentities {
  /** Opens a session with all scopes, or those of the app password or the app that opens it. */
  open(
    tx: Tx,
    account: AccountRow,
    kind: SessionTransport,
    maker: SessionOrigin,
    way: Way,
    bounds?: LivePass | AppBounds,
  ): Promise<OpenedSession>;
  /** Checks within the transaction that the password or pass verified earlier is still valid. */
  hold(tx: Tx, judged: AccountRow, pass?: LivePass): Promise<void>;
  grant(opened: OpenedSession, origin: string): Promise<Grant>;
  /**
   * Exchanges a refresh token for the next of its chain. Throws `invalid_grant`, or the reason why the account is
   * refused.
   */
  refresh(
    token: string,
    origin: string,
    /** Limits the next access token to these; the session and its refresh tokens keep all of theirs (RFC 6749, 6). */
    scopes?: readonly string[],
  ): Promise<Grant>;
  /** Finds a session that has not ended. */
  find(sql: Sql, id: string): Promise<SessionRow | undefined>;
  /** Finds the session of a refresh token or an access token (even an expired one), live or ended. */
  ofToken(token: string): Promise<SessionRow | undefined>;
  end(session: string): Promise<void>;
  /** Ends a session within the caller's transaction. */
  endIn(tx: Tx, session: string): Promise<void>;
  /** Ends everything that an app opened by one consent. */
  endApp(tx: Tx, account: string, consent: string): Promise<void>;
  /** Lists an account's live sessions, most recently seen first. */
  list(account: string): Promise<(SessionRow & SessionOrigin)[]>;
  /** Returns from where an account was used, also by sessions that ended in the last days. */
  origins(sql: Sql, account: string): Promise<Pick<SessionOrigin, 'deviceId' | 'address'>[]>;
  /** Returns the time each account was last seen; accounts never seen are missing. */
  lastSeen(sql: Sql, accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Ends one of the account's sessions; `not_found` if it has no such session. */
  endOne(account: string, session: string): Promise<void>;
  /**
   * Ends the session of a refresh token or an access token (even an expired one), if any. An app that identifies
   * itself cannot end the session of another app (RFC 7009): `invalid_grant`.
   */
  endByToken(token: string, client?: string): Promise<void>;
  /** Ends all sessions of an account, except `but` if given. */
  endAll(tx: Tx, account: string, but?: string): Promise<void>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
/** Retention of ended sessions, so that a late replay is still recognized. */
const ENDED_KEPT_MS = 7 * DAY_MS;

interface Parts {
  database: Database;
  store: SessionStore;
  accounts: AccountStore;
  passes: Passes;
  signInHistory: SignInHistory;
  tokens: AccessTokens;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}

export function createSessions(parts: Parts): Sessions {
  const { database, accounts, store, passes, signInHistory, tokens, clock, ids } = parts;
  const lifetimes = createSessionLifetimes(clock);
  const chains = createRefreshChains({ ...parts, lifetimes });

  const sessions: Sessions = {
    async hold(tx, judged, pass) {
      await tx.lock(`account:${judged.id}`);
      const account = await accounts.find(tx, judged.id);
      requireUsable(account);
      const isSame = pass ? await passes.holds(tx, pass) : account.passwordHash === judged.passwordHash;
      if (!isSame) throw new ApiFailure('invalid_account_or_password');
    },

    async open(tx, owner, kind, maker, way, bounds) {
      const pass = bounds && 'kind' in bounds ? bounds : undefined;
      const app = bounds && 'consent' in bounds ? bounds.consent : undefined;
      const { clientId, deviceId, userAgent, address } = maker;
      const account = owner.id;
      const now = clock.now();
      const id = ids.next();
      const cookie = kind === 'cookie' ? ids.secret() + ids.secret() : undefined;
      const session = {
        id,
        account,
        kind,
        clientId,
        createdAt: now,
        seenAt: now,
        expiresAt: Math.min(lifetimes.fromNow(kind), pass?.expiresAt ?? Infinity),
        scopes: bounds?.scopes,
        pass: pass?.id,
        app,
      };
      await store.insert(
        tx,
        { ...session, revokedAt: undefined, deviceId, userAgent, address },
        cookie && digest(cookie),
      );
      const secret = cookie ?? (await chains.begin(tx, id));
      await signInHistory.recordSuccess(tx, owner, way, maker);
      return { id, account, kind, clientId, secret, scopes: bounds?.scopes, isApp: app !== undefined };
    },

    async grant({ id, account, kind, clientId, secret, scopes, isApp }, origin) {
      if (kind === 'cookie') return { kind, account, secret };
      const token = { account, session: id, clientId, issuer: origin, scopes };
      const accessToken = await (isApp ? tokens.issueForApp(token) : tokens.issue(token));
      return { kind, account, accessToken, refreshToken: secret, scopes: isApp ? scopes : undefined };
    },

    async refresh(token, origin, narrower) {
      const next = await chains.next(token);
      if (!next) throw new ApiFailure('invalid_grant');
      return sessions.grant(narrower ? { ...next, scopes: narrower } : next, origin);
    },

    ...createSessionIdentities({ ...parts, lifetimes }),

    list: (account) => store.list(database, account, clock.now()),
    origins: (sql, account) => store.origins(sql, account),
    lastSeen: (sql, list) => store.lastSeen(sql, list),

    async endOne(account, id) {
      const session = await store.find(database, id);
      if (session?.account !== account || !lifetimes.isLive(session)) throw new ApiFailure('not_found');
      await sessions.end(id);
    },

    async find(sql, id) {
      const session = await store.find(sql, id);
      return session && lifetimes.isLive(session) ? session : undefined;
    },

    async ofToken(token) {
      const session =
        (await chains.sessionOf(database, token)) ??
        (await tokens.read(token, { evenExpired: true }))?.session;
      return session === undefined ? undefined : store.find(database, session);
    },

    end: (session) => database.transaction((tx) => sessions.endIn(tx, session)),
    endIn: (tx, session) => store.revoke(tx, session, clock.now()),
    endApp: (tx, account, consent) => store.revokeOfApp(tx, consent, account, clock.now()),

    async endByToken(token, client) {
      const session = await sessions.ofToken(token);
      const isForeign = client !== undefined && session?.app !== undefined && session.clientId !== client;
      if (isForeign) throw new ApiFailure('invalid_grant');
      if (session) await sessions.end(session.id);
    },

    endAll: (tx, account, but) => store.revokeAll(tx, account, clock.now(), but),
    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now() - ENDED_KEPT_MS)),
  };

  return sessions;
}
