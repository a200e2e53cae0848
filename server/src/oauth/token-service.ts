import { ApiFailure, WEB_CLIENT_ID, type GrantType } from '@bowerbird/contract';
import type { SessionTransport, Grant, SessionMaker, Sessions } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { ClientProof, Clients } from './client-service.ts';
import type { Codes, Redeemed } from './code-service.ts';
import type { Consents } from './consent-service.ts';
import type { Devices } from './device-service.ts';
import type { IdTokens } from './id-token-service.ts';

/** Request to the token endpoint. */
export interface TokenRequest {
  readonly grantType: string | undefined;
  readonly proof: ClientProof;
  readonly refreshToken: string | undefined;
  readonly code: string | undefined;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  readonly deviceCode: string | undefined;
  readonly scope: string | undefined;
}

export interface Issued {
  readonly grant: Grant;
  readonly idToken: string | undefined;
}

export interface Tokens {
  issue(request: TokenRequest, maker: SessionMaker): Promise<Issued>;
  /** Returns true if the code hands a session over to our own pages. */
  isHandOver(request: TokenRequest): boolean;
  takeOver(request: TokenRequest, kind: SessionTransport, maker: SessionMaker): Promise<Grant>;
  /**
   * Revokes a token by ending its session, for the client that has it (RFC 7009). An invalid token ends
   * nothing and is not an error.
   */
  revoke(token: string, proof: ClientProof): Promise<void>;
}

interface Parts {
  database: Database;
  sessions: Sessions;
  clients: Clients;
  consents: Consents;
  codes: Codes;
  devices: Devices;
  idTokens: IdTokens;
}

export function createTokens(parts: Parts): Tokens {
  const { database, sessions, clients, consents, codes, devices, idTokens } = parts;

  const needed = (value: string | undefined, field: string): string => {
    if (!value) throw new ApiFailure('invalid_request', { field });
    return value;
  };

  async function issued(
    redeemed: Omit<Redeemed, 'nonce'> & { nonce?: string | undefined },
    maker: SessionMaker,
  ) {
    const { grant, account, scopes, nonce, authenticatedAt } = redeemed;
    if (grant.kind !== 'token' || !scopes.includes('openid')) return { grant, idToken: undefined };
    const { accessToken } = grant;
    const { clientId, origin: issuer } = maker;
    const token = { account, scopes, issuer, clientId, accessToken, nonce, authenticatedAt };
    return { grant, idToken: await idTokens.issue(token) };
  }

  const GRANTS: Record<GrantType, (request: TokenRequest, maker: SessionMaker) => Promise<Issued>> = {
    async authorization_code(request, maker) {
      const code = needed(request.code, 'code');
      const client = await clients.entitled(request.proof, 'authorization_code');
      const { redirectUri, verifier } = request;
      const asApp = { ...maker, clientId: client.id };
      return issued(await codes.redeem({ code, client, redirectUri, verifier }, asApp), asApp);
    },

    async 'urn:ietf:params:oauth:grant-type:device_code'(request, maker) {
      const secret = needed(request.deviceCode, 'device_code');
      const client = await clients.entitled(request.proof, 'urn:ietf:params:oauth:grant-type:device_code');
      const asApp = { ...maker, clientId: client.id };
      return issued(await devices.poll(secret, client, asApp), asApp);
    },

    async refresh_token(request, maker) {
      const token = needed(request.refreshToken, 'refresh_token');
      const session = await sessions.ofToken(token);
      let narrower: readonly string[] | undefined;
      if (session?.app !== undefined) {
        const client = await clients.entitled(request.proof, 'refresh_token');
        if (session.clientId !== client.id) throw new ApiFailure('invalid_grant');
        const asked = (request.scope ?? '')
          .split(' ')
          .filter((word) => word !== '' && word !== 'offline_access');
        if (asked.some((word) => !session.scopes?.includes(word))) throw new ApiFailure('invalid_scope');
        if (asked.length > 0) narrower = session.scopes?.filter((scope) => asked.includes(scope));
        await note(session.app);
      }
      // Clients that signed in without OAuth may identify themselves, but need not.
      return { grant: await sessions.refresh(token, maker.origin, narrower), idToken: undefined };
    },
  };

  const note = (id: string): Promise<void> =>
    database.transaction(async (tx) => {
      const consent = await consents.find(tx, id);
      if (consent) await consents.use(tx, consent);
    });

  return {
    async issue(request, maker) {
      const grantType = needed(request.grantType, 'grant_type');
      if (!Object.hasOwn(GRANTS, grantType)) throw new ApiFailure('unsupported_grant_type');
      return GRANTS[grantType as GrantType](request, maker);
    },

    isHandOver: ({ grantType, proof, verifier }) =>
      grantType === 'authorization_code' && proof.id === WEB_CLIENT_ID && verifier === undefined,

    async revoke(token, proof) {
      const session = await sessions.ofToken(token);
      const client = proof.id === undefined ? undefined : await clients.find(database, proof.id);
      // A client that its member signed in directly may use any name, and need not be registered.
      const isApp = session ? session.app !== undefined : proof.secret !== undefined;
      if (isApp || client !== undefined)
        await clients.authenticate({ ...proof, id: proof.id ?? session?.clientId });
      await sessions.endByToken(token, proof.id);
    },

    takeOver: ({ code }, kind, maker) => codes.takeOver(needed(code, 'code'), kind, maker),
  };
}
