import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LIMITS } from '@bowerbird/contract';
import type { Clock, Keys } from '../../foundation/index.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-key-service.ts';

/** Claims of an access token. */
export interface AccessClaims {
  readonly account: string;
  readonly session: string;
  /** Client that the token was issued to. */
  readonly clientId: string;
  /** Scopes in the token, which may be fewer than those of its session; undefined if it names none. */
  readonly scopes: readonly string[] | undefined;
}

interface NewToken extends Omit<AccessClaims, 'scopes'> {
  readonly issuer: string;
  /** Granted scopes; undefined for all. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * Access tokens are JWTs, so that clients can read `sub` in them; the database decides whether their session is
 * live.
 */
export interface AccessTokens {
  issue(token: NewToken): Promise<string>;
  /** Issues an app's token (RFC 9068): signed with a key that anybody can verify. */
  issueForApp(token: NewToken): Promise<string>;
  /** Returns the claims of one of our tokens, or undefined for any other text and for expired tokens. */
  read(token: string, options?: { evenExpired: boolean }): Promise<AccessClaims | undefined>;
}

/** Verified tokens are remembered for a minute: clients send the same one with each request. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1000;

/** Distinguishes access tokens of apps from other tokens signed with the same key. */
const APP_TOKEN = 'at+jwt';

interface Parts {
  keys: Keys;
  signing: SigningKeys;
  clock: Clock;
  /** Address of the site, if the settings name it. */
  site: string | undefined;
}

export function createAccessTokens({ keys, signing, clock, site }: Parts): AccessTokens {
  const key = keys.of('access-token');
  const remembered = new Map<
    string,
    { readonly claims: AccessClaims; readonly from: number; readonly until: number }
  >();
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const jwt = ({ account, session, issuer, scopes = ['user', 'pan', 'offline'] }: NewToken, more = {}) =>
    new SignJWT({ scope: scopes.join(' '), sid: session, ...more })
      .setIssuer(issuer)
      .setSubject(account)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + LIMITS.accessTokenSeconds);

  /** Only for tokens that were verified at `now`; the oldest ones are forgotten. */
  function remember(token: string, claims: AccessClaims, now: number, expiresAt: number): void {
    remembered.delete(token);
    remembered.set(token, { claims, from: now, until: Math.min(expiresAt, now + REMEMBERED_MS) });
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  }

  /** Returns the claims of a token, with the client that it was issued to. */
  async function verified(token: string, currentDate: Date): Promise<JWTPayload & { clientId?: unknown }> {
    const { alg, kid = '' } = decodeProtectedHeader(token);
    const rules = { currentDate, requiredClaims: ['iss', 'sub', 'sid', 'aud', 'exp'] };
    if (alg !== SIGNING_ALGORITHM) {
      const { payload } = await jwtVerify(token, key, { ...rules, algorithms: ['HS256'], typ: 'JWT' });
      return { ...payload, clientId: payload.aud };
    }
    const publicKey = await signing.find(kid);
    if (!publicKey) return {};
    const ofApp = { algorithms: [SIGNING_ALGORITHM], typ: APP_TOKEN };
    const { payload } = await jwtVerify(token, publicKey, { ...rules, ...ofApp });
    // An app's token is intended for its issuer: this service, under its own address.
    const isForHere = payload.aud === (site ?? payload.iss) && payload.aud === payload.iss;
    return isForHere ? { ...payload, clientId: payload['client_id'] } : {};
  }

  return {
    issue: (token) =>
      jwt(token).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setAudience(token.clientId).sign(key),

    async issueForApp(token) {
      const { kid, privateKey } = await signing.current();
      return jwt(token, { client_id: token.clientId })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: APP_TOKEN, kid })
        .setAudience(token.issuer)
        .sign(privateKey);
    },

    async read(token, { evenExpired } = { evenExpired: false }) {
      const now = clock.now();
      const known = evenExpired ? undefined : remembered.get(token);
      if (known && now >= known.from && now < known.until) return known.claims;
      try {
        const said = await verified(token, new Date(evenExpired ? 0 : now));
        const { sub: account, sid: session, clientId, scope, exp = 0 } = said;
        if (typeof account !== 'string' || typeof session !== 'string' || typeof clientId !== 'string')
          return undefined;
        const scopes = typeof scope === 'string' ? scope.split(' ') : undefined;
        const claims = { account, session, clientId, scopes };
        if (!evenExpired) remember(token, claims, now, exp * 1000);
        return claims;
      } catch (error) {
        // jose throws a TypeError if the header can't be parsed.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}
