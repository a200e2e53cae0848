import * as oauth from 'oauth4webapi';
import type { Clock } from '../foundation/index.ts';
import type { OpenidClient, ProviderSettings } from './provider.ts';
import type { ProviderFetch } from './provider-fetch.ts';

const HOUR_MS = 3600 * 1000;
const KEYS_AGAIN_MS = 60_000;
const CLOCK_TOLERANCE_SECONDS = 60;
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface Parts {
  settings: ProviderSettings;
  fetch: ProviderFetch;
  clock: Clock;
}

/** OpenID Connect client: the code flow with PKCE. Throws the errors of its library and of `fetch`. */
export function createOpenidClient({ settings, fetch, clock }: Parts): OpenidClient {
  const { issuer, clientId, clientSecret } = settings;
  // `fetch` itself restricts the addresses and the use of plain HTTP.
  const transport = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
  let cached: { at: number; value: oauth.AuthorizationServer } | undefined;
  let keys: { at: number; value: oauth.JWKS } | undefined;
  let missedAt = -Infinity;

  const clientNow = (): oauth.Client => ({
    client_id: clientId,
    [oauth.clockSkew]: (clock.now() - Date.now()) / 1000,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  });

  async function discover(): Promise<oauth.AuthorizationServer> {
    if (cached && Math.abs(clock.now() - cached.at) < HOUR_MS) return cached.value;
    const home = new URL(issuer);
    const said = await oauth.processDiscoveryResponse(home, await oauth.discoveryRequest(home, transport));
    // The library compares issuers as addresses; the specification, as texts.
    if (said.issuer !== issuer) throw new Error(`The provider's document belongs to ${said.issuer}`);
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (typeof said[name] !== 'string') throw new Error(`The provider's document lacks ${name}`);
    const value = { ...said, id_token_signing_alg_values_supported: ALGORITHMS };
    cached = { at: clock.now(), value };
    return value;
  }

  function authentication(server: oauth.AuthorizationServer): oauth.ClientAuth {
    if (clientSecret === undefined) return oauth.None();
    const methods = server.token_endpoint_auth_methods_supported as unknown;
    const usesPost =
      Array.isArray(methods) &&
      methods.includes('client_secret_post') &&
      !methods.includes('client_secret_basic');
    if (usesPost) return oauth.ClientSecretPost(clientSecret);
    // The library also encodes "-", "." and "_"; providers that don't decode them would reject the credentials.
    const pair = [clientId, clientSecret].map((word) => encodeURIComponent(word)).join(':');
    return (_server, _client, _body, headers) =>
      headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  }

  /**
   * Checks the signature of the ID token in a response. Reloads the provider's keys after a missing key, but not for
   * every forged key id.
   */
  async function checkSignature(
    server: oauth.AuthorizationServer,
    response: Response,
    hasMissed = false,
  ): Promise<void> {
    const now = clock.now();
    const asksAnew = hasMissed && now - missedAt >= KEYS_AGAIN_MS;
    if (asksAnew) missedAt = now;
    const known = keys && now - keys.at < HOUR_MS && !asksAnew ? keys.value : undefined;
    // The library keeps keys per server object, for five minutes. A copy and the current time disable this.
    const cache: Partial<oauth.ExportedJWKSCache> = known
      ? { jwks: known, uat: Math.floor(Date.now() / 1000) }
      : {};
    let isRotated = false;
    try {
      await oauth.validateApplicationLevelSignature({ ...server }, response, {
        ...transport,
        [oauth.jwksCache]: cache as oauth.JWKSCacheInput,
      });
    } catch (error) {
      const isMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
      if (!isMissing || hasMissed) throw error;
      isRotated = true;
    } finally {
      if (cache.jwks && cache.jwks !== known) keys = { at: now, value: cache.jwks };
    }
    if (isRotated) await checkSignature(server, response, true);
  }

  /** Requests the user info if the ID token has no email address. */
  async function about(
    server: oauth.AuthorizationServer,
    client: oauth.Client,
    { sub, email }: oauth.IDToken,
    accessToken: string,
  ): Promise<Record<string, oauth.JsonValue | undefined>> {
    if (email !== undefined || server.userinfo_endpoint === undefined) return {};
    const response = await oauth.userInfoRequest(server, client, accessToken, transport);
    return oauth.processUserInfoResponse(server, client, sub, response);
  }

  return {
    async begin({ state, nonce, verifier }, redirectUri) {
      const url = new URL((await discover()).authorization_endpoint!);
      oauth.checkProtocol(url, false);
      for (const [name, value] of Object.entries({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }))
        url.searchParams.set(name, value);
      return url.href;
    },

    async finish({ code, iss }, { state, nonce, verifier }, redirectUri) {
      const server = await discover();
      const client = clientNow();
      const said = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) });
      const answer = oauth.validateAuthResponse(server, client, said, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication(server),
        answer,
        redirectUri,
        verifier,
        transport,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await checkSignature(server, response);
      const vouched = oauth.getValidatedIdTokenClaims(tokens)!;
      const claims = { ...(await about(server, client, vouched, tokens.access_token)), ...vouched };
      const text = (name: string): string => {
        const value = claims[name];
        return typeof value === 'string' ? value : '';
      };
      return {
        subject: vouched.sub,
        email: text('email').trim(),
        isVerified: claims.email_verified === true || claims.email_verified === 'true',
        name: text('name') || text('preferred_username'),
      };
    },
  };
}
