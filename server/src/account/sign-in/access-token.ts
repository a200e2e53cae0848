import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LIMITS } from '@bowerbird/contract';
import type { Clock, Keys } from '../../foundation/index.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-key-service.ts';

/** What an access token says. */
export interface AccessClaims {
  readonly account: string;
  readonly session: string;
  /** The program that it was made for. */
  readonly clientId: string;
  /** The scopes that the token names, which may be fewer than those of its session; undefined where it names none. */
  readonly scopes: readonly string[] | undefined;
}

interface NewToken extends Omit<AccessClaims, 'scopes'> {
  readonly issuer: string;
  /** What it is good for; undefined for everything. */
  readonly scopes: readonly string[] | undefined;
}

/** Access tokens are JWTs, so that clients can read `sub` in them; whether their session lives is asked of the database. */
export interface AccessTokens {
  issue(token: NewToken): Promise<string>;
  /** The kind that apps get (RFC 9068): signed with a key that anybody can check. */
  issueForApp(token: NewToken): Promise<string>;
  /** What a token of ours says, or undefined for any other text and for expired tokens. */
  read(token: string, options?: { evenExpired: boolean }): Promise<AccessClaims | undefined>;
}

/** Sets access tokens of apps apart from what else their key signs. */
const APP_TOKEN = 'at+jwt';

interface Parts {
  keys: Keys;
  signing: SigningKeys;
  clock: Clock;
  /** Address of the site, where the settings name it. */
  site: string | undefined;
}

export function createAccessTokens({ keys, signing, clock, site }: Parts): AccessTokens {
  const key = keys.of('access-token');
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const jwt = ({ account, session, issuer, scopes = ['user', 'pan', 'offline'] }: NewToken, more = {}) =>
    new SignJWT({ scope: scopes.join(' '), sid: session, ...more })
      .setIssuer(issuer)
      .setSubject(account)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + LIMITS.accessTokenSeconds);

  /** What a token says, with the program that it was made for. */
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
    // An app's token is for the service that made it: this one, under the address that it goes by.
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
      try {
        const said = await verified(token, new Date(evenExpired ? 0 : clock.now()));
        const { sub: account, sid: session, clientId, scope } = said;
        if (typeof account !== 'string' || typeof session !== 'string' || typeof clientId !== 'string')
          return undefined;
        const scopes = typeof scope === 'string' ? scope.split(' ') : undefined;
        return { account, session, clientId, scopes };
      } catch (error) {
        // jose throws a TypeError for what has no readable header.
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}
