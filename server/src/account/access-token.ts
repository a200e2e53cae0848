import { errors, jwtVerify, SignJWT } from 'jose';
import { LIMITS } from '@bowerbird/contract';
import type { Clock, Keys } from '../foundation/index.ts';

/** What an access token says. */
export interface AccessClaims {
  readonly account: string;
  readonly session: string;
}

/** Access tokens are JWTs, so that clients can read `sub` in them; whether their session lives is asked of the database. */
export interface AccessTokens {
  issue(
    claims: AccessClaims & {
      clientId: string;
      issuer: string;
      /** What it is good for; undefined for everything. */
      scopes: readonly string[] | undefined;
    },
  ): Promise<string>;
  /** What a token of ours says, or undefined for any other text and for expired tokens. */
  read(token: string, options?: { evenExpired: boolean }): Promise<AccessClaims | undefined>;
}

export function createAccessTokens({ keys, clock }: { keys: Keys; clock: Clock }): AccessTokens {
  const key = keys.of('access-token');
  const seconds = (): number => Math.floor(clock.now() / 1000);

  return {
    issue: ({ account, session, clientId, issuer, scopes = ['user', 'pan', 'offline'] }) =>
      new SignJWT({ scope: scopes.join(' '), sid: session })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(account)
        .setAudience(clientId)
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + LIMITS.accessTokenSeconds)
        .sign(key),

    async read(token, { evenExpired } = { evenExpired: false }) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          currentDate: evenExpired ? new Date(0) : new Date(clock.now()),
          requiredClaims: ['sub', 'sid', 'exp'],
        });
        if (typeof payload.sub !== 'string' || typeof payload['sid'] !== 'string') return undefined;
        return { account: payload.sub, session: payload['sid'] };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
