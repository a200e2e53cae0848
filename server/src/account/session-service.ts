import { createHash } from 'node:crypto';
import { ALL_SCOPES, ApiFailure, LIMITS } from '@bowerbird/contract';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Viewer } from '../foundation/http/index.ts';
import type { Clock, Ids, Keys } from '../foundation/index.ts';
import type { AccessTokens } from './access-token.ts';
import type { AccountStore } from './account-store.ts';
import type { AccountRow, SessionOrigin, SessionRow } from './account.ts';
import type { Arrivals } from './arrival-service.ts';
import type { Way } from './arrival.ts';
import { isAccessToken, type Passes } from './pass-service.ts';
import type { LivePass } from './pass.ts';
import type { LiveSession, RefreshLink, SessionStore } from './session-store.ts';

/** How a session travels: a secret in a cookie of our own pages, or tokens for everyone else. */
export type Delivery = 'cookie' | 'token';

/** Who opens a session, and under which address of ours. */
export type SessionMaker = SessionOrigin & { readonly origin: string };

export type Grant =
  | { readonly kind: 'cookie'; readonly account: string; readonly secret: string }
  | {
      readonly kind: 'token';
      readonly account: string;
      readonly accessToken: string;
      readonly refreshToken: string;
    };

/** A session that exists once its transaction commits; {@link Sessions.grant} then makes what its owner gets. */
export interface OpenedSession {
  readonly id: string;
  readonly account: string;
  readonly kind: Delivery;
  readonly clientId: string;
  /** The cookie's value, or the first refresh token. */
  readonly secret: string;
  readonly scopes: readonly string[] | undefined;
}

export interface Sessions {
  /** Begins a session that is good for everything, or for no more than the app password that opens it. */
  open(
    tx: Tx,
    account: AccountRow,
    kind: Delivery,
    maker: SessionOrigin,
    way: Way,
    pass?: LivePass,
  ): Promise<OpenedSession>;
  /** What was judged before the transaction must still hold in it: a password or pass that ended meanwhile opens nothing. */
  hold(tx: Tx, judged: AccountRow, pass?: LivePass): Promise<void>;
  grant(opened: OpenedSession, origin: string): Promise<Grant>;
  /** Exchanges a refresh token for the next of its chain; `invalid_grant` where it is no longer good. */
  refresh(token: string, origin: string): Promise<Grant>;
  /** Finds who asks. Quick: it stands before every request. */
  identify(credentials: {
    bearer: string | undefined;
    cookies: Readonly<Record<string, string | undefined>>;
    address: string;
  }): Promise<Viewer>;
  end(session: string): Promise<void>;
  /** Those of an account that live, the last seen first. */
  list(account: string): Promise<(SessionRow & SessionOrigin)[]>;
  /** Ends one of an account's; `not_found` where it has no such one. */
  endOne(account: string, session: string): Promise<void>;
  /** Ends the session that a refresh token or an access token (even an expired one) belongs to, if any. */
  endByToken(token: string): Promise<void>;
  /** Ends every session of an account, all but one where one is named. */
  endAll(tx: Tx, account: string, but?: string): Promise<void>;
  forgetOld(): Promise<void>;
}

export const SESSION_COOKIE = 'pp_session';
const REFRESH_PREFIX = 'os.';
const DAY_MS = 24 * 3600 * 1000;
const SLIDE_EVERY_MS = 3600 * 1000;
/** Ended sessions are kept so long, so that a late replay is still known as one. */
const ENDED_KEPT_MS = 7 * DAY_MS;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

interface Parts {
  database: Database;
  store: SessionStore;
  accounts: AccountStore;
  passes: Passes;
  arrivals: Arrivals;
  tokens: AccessTokens;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}

export function createSessions(parts: Parts): Sessions {
  const { database, accounts, store, passes, arrivals, tokens, keys, clock, ids } = parts;

  const isLive = (session: LiveSession): boolean =>
    session.revokedAt === undefined && session.expiresAt > clock.now() && session.status === 'active';
  const lifetime = (kind: Delivery): number =>
    (kind === 'cookie' ? LIMITS.webSessionSeconds : LIMITS.refreshTokenSeconds) * 1000;
  const linkOf = (token: string, session: string): RefreshLink => ({
    hash: digest(token),
    session,
    expiresAt: clock.now() + lifetime('token'),
    usedAt: undefined,
  });

  /**
   * The refresh token that follows another. It is derived and not drawn, so that clients which exchange one token at
   * the same time all get the same next one: the chain never forks.
   */
  const successorOf = (token: string): string => REFRESH_PREFIX + keys.sign('refresh-token', token);

  const sessions: Sessions = {
    async hold(tx, judged, pass) {
      await tx.lock(`account:${judged.id}`);
      const account = await accounts.find(tx, judged.id);
      if (account?.status !== 'active') throw new ApiFailure('account_frozen');
      const isSame = pass ? await passes.holds(tx, pass) : account.passwordHash === judged.passwordHash;
      if (!isSame) throw new ApiFailure('invalid_account_or_password');
    },

    async open(tx, owner, kind, maker, way, pass) {
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
        scopes: pass?.scopes,
        pass: pass?.id,
      };
      await store.insert(
        tx,
        { ...session, revokedAt: undefined, deviceId, userAgent, address },
        kind === 'cookie' ? digest(secret) : undefined,
      );
      if (kind === 'token') await store.insertLink(tx, linkOf(secret, id), now);
      await arrivals.came(tx, owner, way, maker);
      return { id, account, kind, clientId, secret, scopes: pass?.scopes };
    },

    async grant({ id, account, kind, clientId, secret, scopes }, origin) {
      if (kind === 'cookie') return { kind, account, secret };
      const accessToken = await tokens.issue({ account, session: id, clientId, issuer: origin, scopes });
      return { kind, account, accessToken, refreshToken: secret };
    },

    async refresh(token, origin) {
      const next = await database.transaction(async (tx): Promise<OpenedSession | undefined> => {
        const session = await lockedSession(tx, token);
        if (!session || !isLive(session)) return undefined;
        const now = clock.now();
        const link = (await store.findLink(tx, digest(token)))!;
        if (link.expiresAt <= now) return undefined;
        const { id, account, kind, clientId, scopes } = session;
        if (link.usedAt === undefined) {
          const secret = successorOf(token);
          await store.useLink(tx, link.hash, now);
          await store.insertLink(tx, linkOf(secret, id), now);
          // What an app password opened doesn't outlive it.
          await store.slide(tx, id, now, session.pass ? session.expiresAt : now + lifetime(kind));
          return { id, account, kind, clientId, secret, scopes };
        }
        if (now - link.usedAt <= LIMITS.refreshGraceSeconds * 1000) {
          return { id, account, kind, clientId, scopes, secret: await headAfter(tx, token) };
        }
        // Somebody holds a token that was exchanged long ago: it leaked, and nobody can say who is who.
        await store.revoke(tx, id, now);
        return undefined;
      });
      if (!next) throw new ApiFailure('invalid_grant');
      return sessions.grant(next, origin);
    },

    async identify({ bearer, cookies, address }) {
      if (bearer !== undefined && isAccessToken(bearer)) return passes.identify(bearer, address);
      if (bearer !== undefined) {
        const claims = await tokens.read(bearer);
        const session = claims && (await store.find(database, claims.session));
        if (!session || session.kind !== 'token' || session.account !== claims.account) return null;
        return viewerOf(session, 'token');
      }
      const secret = cookies[SESSION_COOKIE];
      if (!secret) return null;
      const session = await store.bySecret(database, digest(secret));
      if (!session) return null;
      const viewer = viewerOf(session, 'cookie');
      if (viewer && clock.now() - session.seenAt >= SLIDE_EVERY_MS) await slide(session);
      return viewer;
    },

    list: (account) => store.list(database, account, clock.now()),

    async endOne(account, id) {
      const session = await store.find(database, id);
      if (session?.account !== account || !isLive(session)) throw new ApiFailure('not_found');
      await sessions.end(id);
    },

    end: (session) => database.transaction((tx) => store.revoke(tx, session, clock.now())),

    async endByToken(token) {
      const link = token.startsWith(REFRESH_PREFIX)
        ? await store.findLink(database, digest(token))
        : undefined;
      const session = link?.session ?? (await tokens.read(token, { evenExpired: true }))?.session;
      if (session !== undefined) await sessions.end(session);
    },

    endAll: (tx, account, but) => store.revokeAll(tx, account, clock.now(), but),
    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now() - ENDED_KEPT_MS)),
  };

  async function lockedSession(tx: Tx, token: string): Promise<LiveSession | undefined> {
    const link = await store.findLink(tx, digest(token));
    if (!link) return undefined;
    await tx.lock(`session:${link.session}`);
    return store.find(tx, link.session);
  }

  /** The newest token of the chain that goes on behind a used one. */
  async function headAfter(tx: Tx, used: string): Promise<string> {
    for (let token = successorOf(used); ; token = successorOf(token)) {
      const link = await store.findLink(tx, digest(token));
      if (link?.usedAt === undefined) return token;
    }
  }

  const slide = ({ id }: LiveSession): Promise<void> =>
    database.transaction((tx) => store.slide(tx, id, clock.now(), clock.now() + lifetime('cookie')));

  const viewerOf = (session: LiveSession, by: 'cookie' | 'token'): Viewer =>
    isLive(session)
      ? {
          account: session.account,
          session: session.id,
          operator: session.role === 'operator',
          by,
          scopes: session.scopes ? new Set(session.scopes) : ALL_SCOPES,
        }
      : null;

  return sessions;
}
