import { createHash } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { GrantScope } from '@bowerbird/contract';
import { SIGNING_ALGORITHM, type AccountRow, type SigningKeys } from '../account/index.ts';
import type { Clock } from '../foundation/index.ts';

/** Identity claims that an app gets, by its scopes. */
export interface IdentityClaims {
  readonly sub: string;
  readonly name?: string;
  readonly picture?: string;
  readonly locale?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface IdTokens {
  claimsOf(account: AccountRow, scopes: ReadonlySet<string>): IdentityClaims;
  issue(token: {
    account: AccountRow;
    scopes: readonly GrantScope[];
    issuer: string;
    clientId: string;
    accessToken: string;
    nonce: string | undefined;
    authenticatedAt: number;
  }): Promise<string>;
  /** Subject of one of our ID tokens, even an expired one; undefined for any other text. */
  subjectOf(token: string): Promise<string | undefined>;
}

const LIFETIME_SECONDS = 3600;

interface Parts {
  signing: SigningKeys;
  clock: Clock;
  /** True if email addresses were verified at sign-up. */
  provesAddresses: boolean;
}

export function createIdTokens({ signing, clock, provesAddresses }: Parts): IdTokens {
  const tokens: IdTokens = {
    claimsOf: (account, scopes) => ({
      sub: account.id,
      ...(scopes.has('profile') && {
        name: account.name,
        ...(/^https?:/.test(account.picture) && { picture: account.picture }),
        ...(account.locale && { locale: account.locale }),
      }),
      ...(scopes.has('email') &&
        account.email !== '' && { email: account.email, email_verified: provesAddresses }),
    }),

    async issue({ account, scopes, issuer, clientId, accessToken, nonce, authenticatedAt }) {
      const { kid, privateKey } = await signing.current();
      const seconds = Math.floor(clock.now() / 1000);
      return new SignJWT({
        ...tokens.claimsOf(account, new Set(scopes)),
        auth_time: Math.floor(authenticatedAt / 1000),
        at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
        ...(nonce === undefined ? {} : { nonce }),
      })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + LIFETIME_SECONDS)
        .sign(privateKey);
    },

    async subjectOf(token) {
      try {
        const key = await signing.find(decodeProtectedHeader(token).kid ?? '');
        if (!key) return undefined;
        const rules = { algorithms: [SIGNING_ALGORITHM], typ: 'JWT', currentDate: new Date(0) };
        return (await jwtVerify(token, key, rules)).payload.sub;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
  return tokens;
}
