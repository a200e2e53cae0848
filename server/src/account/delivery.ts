import { ApiFailure, LIMITS, WEB_CLIENT_ID, type TokenReply } from '@bowerbird/contract';
import type { Caller } from '../foundation/http/index.ts';
import { grantView } from './account-view.ts';
import { KNOWN_BROWSER_COOKIE, KNOWN_BROWSER_SECONDS, type KnownBrowsers } from './known-browser.ts';
import {
  SESSION_COOKIE,
  type Delivery,
  type Grant,
  type SessionMaker,
  type Sessions,
} from './session-service.ts';

const USER_COOKIE = 'pp_user_id';
const YEAR_SECONDS = 365 * 24 * 3600;

/** Hands sessions over: in a cookie of this browser, or as tokens in the reply. */
export interface Deliveries {
  /** Opens a session the way that was asked for, and hands it over. */
  open(
    caller: Caller,
    body: { client_id?: string; session?: Delivery },
    work: (kind: Delivery, maker: SessionMaker) => Promise<Grant>,
  ): Promise<TokenReply>;
  /** Keeps the session in this browser, for as long as it lives on our side. */
  keep(caller: Caller, session: { account: string; secret: string }): void;
  /** Ends it here: the browser keeps neither the session nor what was loaded with it. */
  forget(caller: Caller): void;
}

export function createDeliveries(sessions: Sessions, browsers: KnownBrowsers): Deliveries {
  const deliveries: Deliveries = {
    async open(caller, body, work) {
      const kind = body.session ?? 'token';
      // A page of another site must not put its own session into a visitor's browser.
      if (kind === 'cookie' && caller.foreign) throw new ApiFailure('permission_denied');
      const clientId = body.client_id || caller.clientId || (kind === 'cookie' ? WEB_CLIENT_ID : 'unknown');
      const grant = await work(kind, { ...caller, clientId });
      if (grant.kind === 'cookie') {
        if (caller.viewer?.by === 'cookie') await sessions.end(caller.viewer.session);
        deliveries.keep(caller, grant);
      }
      return grantView(grant);
    },

    keep(caller, { account, secret }) {
      caller.secrets.keep(SESSION_COOKIE, secret, LIMITS.webSessionSeconds);
      caller.setCookie(USER_COOKIE, account, { maxAgeSeconds: YEAR_SECONDS });
      const known = browsers.remember(account, caller.secrets.read(KNOWN_BROWSER_COOKIE));
      caller.secrets.keep(KNOWN_BROWSER_COOKIE, known, KNOWN_BROWSER_SECONDS);
    },

    forget(caller) {
      caller.secrets.drop(SESSION_COOKIE);
      caller.setCookie(USER_COOKIE, '', { maxAgeSeconds: 0 });
      caller.clearCache();
    },
  };
  return deliveries;
}
