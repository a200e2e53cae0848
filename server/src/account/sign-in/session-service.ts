import { createHash } from 'node:crypto';
import { ALL_SCOPES, ApiFailure, LIMITS, type ErrorId } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Secrets, Viewer } from '../../foundation/http/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import type { AccessTokens } from './access-token.ts';
import type { AccountStore } from '../account-store.ts';
import { isUsable, refusalOf, requireUsable, type AccountRow } from '../account.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import type { Way } from './sign-in-record.ts';
import { isAccessToken, type Passes, type LivePass } from '../credential/index.ts';
import type { SessionOrigin, SessionRow } from './session.ts';
import type { LiveSession, RefreshLink, SessionStore } from './session-store.ts';

/** Transport of a session: a secret in a cookie for our own pages, or tokens for any other client. */
export type SessionTransport = 'cookie' | 'token';

/** Client that opens a session, and which of our origins it uses. */
export type SessionMaker = SessionOrigin & { readonly origin: string };

export type Grant =
  | { readonly kind: 'cookie'; readonly account: string; readonly secret: string }
  | {
      readonly kind: 'token';
      readonly account: string;
      readonly accessToken: string;
      readonly refreshToken: string;
      /** Scopes granted to an app; undefined for all other clients. */
      readonly scopes: readonly string[] | undefined;
    };

/** App to which the owner granted access, and its scopes. */
export interface AppBounds {
  readonly consent: string;
  readonly scopes: readonly string[];
}

/**
 * Session that exists once its transaction commits; {@link Sessions.grant} then creates the owner's credentials.
 */
export interface OpenedSession {
  readonly id: string;
  readonly account: string;
  readonly kind: SessionTransport;
  readonly clientId: string;
  /** Value of the cookie, or the first refresh token. */
  readonly secret: string;
  readonly scopes: readonly string[] | undefined;
  /** True for the session of an app. */
  readonly isApp: boolean;
}

/** Credentials sent with a request. */
interface Credentials {
  readonly bearer: string | undefined;
  readonly secrets: Pick<Secrets, 'read'>;
}

export interface Sessions {
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
  /** Finds the viewer of a request. Fast, because it runs before every request. */
  identify(credentials: Credentials & { address: string }): Promise<Viewer>;
  /** Returns why the account of these credentials, even just-ended ones, may not be used; undefined if it may. */
  refusal(credentials: Credentials): Promise<ErrorId | undefined>;
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

export const SESSION_COOKIE = 'pp_session';
const REFRESH_PREFIX = 'os.';
const DAY_MS = 24 * 3600 * 1000;
const SLIDE_EVERY_MS = 3600 * 1000;
/** Retention of ended sessions, so that a late replay is still recognized. */
const ENDED_KEPT_MS = 7 * DAY_MS;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

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
  const { database, accounts, store, passes, signInHistory, tokens, keys, clock, ids } = parts;

  const isLive = (session: LiveSession): boolean =>
    session.revokedAt === undefined && session.expiresAt > clock.now() && isUsable(session);
  const lifetime = (kind: SessionTransport): number =>
    (kind === 'cookie' ? LIMITS.webSessionSeconds : LIMITS.refreshTokenSeconds) * 1000;
  /** Returns the expiry of a session that is being used now. */
  const slidTo = ({ kind, createdAt }: LiveSession): number =>
    Math.min(clock.now() + lifetime(kind), createdAt + LIMITS.sessionMostSeconds * 1000);
  const linkOf = (token: string, session: string): RefreshLink => ({
    hash: digest(token),
    session,
    expiresAt: clock.now() + lifetime('token'),
    usedAt: undefined,
  });

  /**
   * Returns the refresh token that follows another. It is derived, not random, so that clients which exchange one
   * token at the same time all receive the same next one: the chain never forks.
   */
  const successorOf = (token: string): string => REFRESH_PREFIX + keys.sign('refresh-token', token);

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
      const secret =
        kind === 'cookie' ? ids.secret() + ids.secret() : REFRESH_PREFIX + ids.secret() + ids.secret();
      const session = {
        id,
        account,
        kind,
        clientId,
        createdAt: now,
        seenAt: now,
        expiresAt: Math.min(now + lifetime(kind), pass?.expiresAt ?? Infinity),
        scopes: bounds?.scopes,
        pass: pass?.id,
        app,
      };
      await store.insert(
        tx,
        { ...session, revokedAt: undefined, deviceId, userAgent, address },
        kind === 'cookie' ? digest(secret) : undefined,
      );
      if (kind === 'token') await store.insertLink(tx, linkOf(secret, id), now);
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
      const next = await database.transaction(async (tx): Promise<OpenedSession | undefined> => {
        const session = await lockedSession(tx, token);
        if (session) requireUsable(session);
        if (!session || !isLive(session)) return undefined;
        const now = clock.now();
        const link = (await store.findLink(tx, digest(token)))!;
        if (link.expiresAt <= now) return undefined;
        const { id, account, kind, clientId, scopes } = session;
        const isApp = session.app !== undefined;
        if (link.usedAt === undefined) {
          const secret = successorOf(token);
          await store.useLink(tx, link.hash, now);
          await store.insertLink(tx, linkOf(secret, id), now);
          // A session opened by an app password must not outlive it.
          await store.slide(tx, id, now, session.pass ? session.expiresAt : slidTo(session));
          return { id, account, kind, clientId, secret, scopes, isApp };
        }
        if (now - link.usedAt <= LIMITS.refreshGraceSeconds * 1000) {
          return { id, account, kind, clientId, scopes, isApp, secret: await headAfter(tx, token) };
        }
        // A token that was exchanged long ago is replayed: it leaked, and the thief can't be distinguished from
        // the owner.
        await store.revoke(tx, id, now);
        return undefined;
      });
      if (!next) throw new ApiFailure('invalid_grant');
      return sessions.grant(narrower ? { ...next, scopes: narrower } : next, origin);
    },

    async identify({ bearer, secrets, address }) {
      if (bearer !== undefined && isAccessToken(bearer)) return passes.identify(bearer, address);
      const session = await sessionOf({ bearer, secrets });
      if (!session) return null;
      const by = bearer === undefined ? 'cookie' : 'token';
      const viewer = viewerOf(session, by);
      if (viewer && by === 'cookie' && Math.abs(clock.now() - session.seenAt) >= SLIDE_EVERY_MS)
        await slide(session);
      return viewer;
    },

    async refusal(credentials) {
      const { bearer } = credentials;
      if (bearer !== undefined && isAccessToken(bearer)) return passes.refusal(bearer);
      // Freezing and closing end sessions, but their account can still be found for some days.
      const session = await sessionOf(credentials);
      return session && session.expiresAt > clock.now() ? refusalOf(session) : undefined;
    },

    list: (account) => store.list(database, account, clock.now()),
    lastSeen: (sql, list) => store.lastSeen(sql, list),

    async endOne(account, id) {
      const session = await store.find(database, id);
      if (session?.account !== account || !isLive(session)) throw new ApiFailure('not_found');
      await sessions.end(id);
    },

    async find(sql, id) {
      const session = await store.find(sql, id);
      return session && isLive(session) ? session : undefined;
    },

    async ofToken(token) {
      const link = token.startsWith(REFRESH_PREFIX)
        ? await store.findLink(database, digest(token))
        : undefined;
      const session = link?.session ?? (await tokens.read(token, { evenExpired: true }))?.session;
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

  async function sessionOf({ bearer, secrets }: Credentials): Promise<LiveSession | undefined> {
    if (bearer !== undefined) {
      const claims = await tokens.read(bearer);
      const session = claims && (await store.find(database, claims.session));
      if (session?.kind !== 'token' || session.account !== claims?.account) return undefined;
      if (session.clientId !== claims.clientId) return undefined;
      const { scopes: named } = claims;
      // A token narrowed on refresh has fewer scopes than its session.
      return session.scopes && named
        ? { ...session, scopes: session.scopes.filter((scope) => named.includes(scope)) }
        : session;
    }
    const secret = secrets.read(SESSION_COOKIE);
    return secret ? store.bySecret(database, digest(secret)) : undefined;
  }

  async function lockedSession(tx: Tx, token: string): Promise<LiveSession | undefined> {
    const link = await store.findLink(tx, digest(token));
    if (!link) return undefined;
    await tx.lock(`session:${link.session}`);
    return store.find(tx, link.session);
  }

  /** Finds the newest token of the chain after a used one. */
  async function headAfter(tx: Tx, used: string): Promise<string> {
    for (let token = successorOf(used); ; token = successorOf(token)) {
      const link = await store.findLink(tx, digest(token));
      if (link?.usedAt === undefined) return token;
    }
  }

  const slide = (session: LiveSession): Promise<void> =>
    database.transaction((tx) => store.slide(tx, session.id, clock.now(), slidTo(session)));

  const viewerOf = (session: LiveSession, by: 'cookie' | 'token'): Viewer =>
    isLive(session)
      ? {
          account: session.account,
          session: session.id,
          // Access to files must not allow an app to administer the service.
          operator: session.role === 'operator' && session.app === undefined,
          by,
          scopes: session.scopes ? new Set(session.scopes) : ALL_SCOPES,
        }
      : null;

  return sessions;
}
