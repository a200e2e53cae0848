import { LIMITS } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import { requireUsable } from '../account.ts';
import type { SessionLifetimes } from './session-lifetime.ts';
import type { LiveSession, RefreshLink, SessionStore } from './session-store.ts';
import { digest, type OpenedSession } from './session.ts';

/** Chains of refresh tokens. Only the newest token of a chain is valid. */
export interface RefreshChains {
  /** Starts the chain of a new session. Returns its first token. */
  begin(tx: Tx, session: string): Promise<string>;
  /**
   * Exchanges a token for the next of its chain; undefined if it is invalid. Throws the reason why the account is
   * refused.
   */
  next(token: string): Promise<OpenedSession | undefined>;
  /** Returns the id of the session of a token; undefined if it is unknown or no refresh token. */
  sessionOf(sql: Sql, token: string): Promise<string | undefined>;
}

const PREFIX = 'os.';

export function createRefreshChains({
  database,
  store,
  lifetimes,
  keys,
  clock,
  ids,
}: {
  database: Database;
  store: SessionStore;
  lifetimes: SessionLifetimes;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}): RefreshChains {
  const linkOf = (token: string, session: string): RefreshLink => ({
    hash: digest(token),
    session,
    expiresAt: lifetimes.fromNow('token'),
    usedAt: undefined,
  });

  /**
   * Returns the refresh token that follows another. It is derived, not random, so that clients which exchange one
   * token at the same time all receive the same next one: the chain never forks.
   */
  const successorOf = (token: string): string => PREFIX + keys.sign('refresh-token', token);

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

  return {
    async begin(tx, session) {
      const token = PREFIX + ids.secret() + ids.secret();
      await store.insertLink(tx, linkOf(token, session), clock.now());
      return token;
    },

    next: (token) =>
      database.transaction(async (tx): Promise<OpenedSession | undefined> => {
        const session = await lockedSession(tx, token);
        if (session) requireUsable(session);
        if (!session || !lifetimes.isLive(session)) return undefined;
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
          await store.slide(tx, id, now, session.pass ? session.expiresAt : lifetimes.slidTo(session));
          return { id, account, kind, clientId, secret, scopes, isApp };
        }
        if (now - link.usedAt <= LIMITS.refreshGraceSeconds * 1000) {
          return { id, account, kind, clientId, scopes, isApp, secret: await headAfter(tx, token) };
        }
        // A token that was exchanged long ago is replayed: it leaked, and the thief can't be distinguished from
        // the owner.
        await store.revoke(tx, id, now);
        return undefined;
      }),

    async sessionOf(sql, token) {
      return token.startsWith(PREFIX) ? (await store.findLink(sql, digest(token)))?.session : undefined;
    },
  };
}
