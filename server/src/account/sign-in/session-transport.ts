import { ApiFailure, LIMITS, WEB_CLIENT_ID, type TokenReply } from '@bowerbird/contract';
import type { Caller } from '../../foundation/http/index.ts';
import { grantView } from './sign-in-view.ts';
import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, type KnownBrowsers } from '../credential/index.ts';
import type { Sessions } from './session-service.ts';
import { SESSION_COOKIE, type Grant, type SessionMaker, type SessionTransport } from './session.ts';

const USER_COOKIE = 'pp_user_id';
const YEAR_SECONDS = 365 * 24 * 3600;

/** Sends sessions to clients: in a cookie of the browser, or as tokens in the response. */
export interface SessionTransports {
  /** Opens a session with the requested transport, and sends it. */
  open(
    caller: Caller,
    body: { client_id?: string; session?: SessionTransport },
    work: (kind: SessionTransport, maker: SessionMaker) => Promise<Grant>,
  ): Promise<TokenReply>;
  /** Sets the cookies of a session in the browser, with the same lifetime as the session. */
  setCookies(caller: Caller, session: { account: string; secret: string }): void;
  /** Clears the session cookies and the cache of the browser. */
  clearCookies(caller: Caller): void;
}

export function createSessionTransports(sessions: Sessions, browsers: KnownBrowsers): SessionTransports {
  const transports: SessionTransports = {
    async open(caller, body, work) {
      const kind = body.session ?? 'token';
      // Login CSRF: a page of another site must not set its own session in a visitor's browser.
      if (kind === 'cookie' && caller.foreign) throw new ApiFailure('permission_denied');
      const clientId = body.client_id || caller.clientId || (kind === 'cookie' ? WEB_CLIENT_ID : 'unknown');
      const grant = await work(kind, { ...caller, clientId });
      if (grant.kind === 'cookie') {
        if (caller.viewer?.by === 'cookie') await sessions.end(caller.viewer.session);
        transports.setCookies(caller, grant);
      }
      return grantView(grant);
    },

    setCookies(caller, { account, secret }) {
      caller.secrets.keep(SESSION_COOKIE, secret, LIMITS.webSessionSeconds);
      caller.setCookie(USER_COOKIE, account, { maxAgeSeconds: YEAR_SECONDS });
      const known = browsers.remember(account, caller.secrets.read(KNOWN_BROWSER_COOKIE));
      caller.secrets.keep(KNOWN_BROWSER_COOKIE, known, KNOWN_BROWSER_SECONDS);
    },

    clearCookies(caller) {
      caller.secrets.drop(SESSION_COOKIE);
      caller.setCookie(USER_COOKIE, '', { maxAgeSeconds: 0 });
      caller.clearCache();
    },
  };
  return transports;
}
