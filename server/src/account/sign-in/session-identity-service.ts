import { ALL_SCOPES, type ErrorId } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Secrets, Viewer } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { refusalOf } from '../account.ts';
import { isAccessToken, type Passes } from '../credential/index.ts';
import type { AccessTokens } from './access-token.ts';
import type { SessionLifetimes } from './session-lifetime.ts';
import type { LiveSession, SessionStore } from './session-store.ts';
import { digest, SESSION_COOKIE } from './session.ts';

/** Credentials sent with a request. */
interface Credentials {
  readonly bearer: string | undefined;
  readonly secrets: Pick<Secrets, 'read'>;
}

/** Identifies the account of a request by its session or access token. */
export interface SessionIdentities {
  /** Finds the viewer of a request. Fast, because it runs before every request. */
  identify(credentials: Credentials & { address: string }): Promise<Viewer>;
  /** Returns why the account of these credentials, even just-ended ones, may not be used; undefined if it may. */
  refusal(credentials: Credentials): Promise<ErrorId | undefined>;
}

const SLIDE_EVERY_MS = 3600 * 1000;

export function createSessionIdentities({
  database,
  store,
  passes,
  tokens,
  lifetimes,
  clock,
}: {
  database: Database;
  store: SessionStore;
  passes: Passes;
  tokens: AccessTokens;
  lifetimes: SessionLifetimes;
  clock: Clock;
}): SessionIdentities {
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

  const slide = (session: LiveSession): Promise<void> =>
    database.transaction((tx) => store.slide(tx, session.id, clock.now(), lifetimes.slidTo(session)));

  const viewerOf = (session: LiveSession, by: 'cookie' | 'token'): Viewer =>
    lifetimes.isLive(session)
      ? {
          account: session.account,
          session: session.id,
          // Access to files must not allow an app to administer the service.
          operator: session.role === 'operator' && session.app === undefined,
          by,
          scopes: session.scopes ? new Set(session.scopes) : ALL_SCOPES,
        }
      : null;

  return {
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
  };
}
