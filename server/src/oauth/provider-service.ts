import { createHash } from 'node:crypto';
import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock, Log } from '../foundation/index.ts';
import { ProviderUnavailable, type ProviderFetch } from './provider-fetch.ts';

/** Settings of the OpenID provider whose accounts can sign in here. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly label: string;
  /** Mail domains that may sign in; empty for all. */
  readonly domains: readonly string[];
  /** Creates an account for a new user if true. */
  readonly signUp: boolean;
}

/** The identity of a user at the provider. */
export interface Vouched {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly name: string;
}

/** A sign-in in progress: secrets shared by this browser and the server. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Provider {
  readonly settings: ProviderSettings;
  /** Returns the address of the provider's sign-in page. */
  begin(login: PendingLogin, redirectUri: string): Promise<string>;
  /**
   * Exchanges the code for the user's identity. Throws `third_party_failed` if the provider's answer is invalid,
   * `temporarily_unavailable` if it does not answer.
   */
  finish(
    answer: { code: string; iss: string | undefined },
    login: PendingLogin,
    redirectUri: string,
  ): Promise<Vouched>;
}

interface Metadata {
  readonly authorization: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string | undefined;
  readonly methods: readonly string[] | undefined;
}

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
  log: Log;
}

export function createProvider({ settings, fetch, clock, log }: Parts): Provider {
  const { issuer, clientId, clientSecret } = settings;
  let cached: { at: number; value: Metadata } | undefined;
  let keys: { at: number; value: JSONWebKeySet } | undefined;
  let missedAt = -Infinity;

  /**
   * Maps every failure of the provider to one of two errors: it is unavailable, or its answer is invalid. Logs the
   * reason.
   */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiFailure) throw error;
      log.warn({ err: error }, 'external sign-in provider failed');
      throw new ApiFailure(
        error instanceof ProviderUnavailable ? 'temporarily_unavailable' : 'third_party_failed',
      );
    }
  };

  async function discover(): Promise<Metadata> {
    if (cached && Math.abs(clock.now() - cached.at) < HOUR_MS) return cached.value;
    const { status, body } = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const text = (name: string): string => {
      const value = body[name];
      if (status !== 200 || typeof value !== 'string')
        throw new Error(`The provider's document lacks ${name}`);
      return value;
    };
    if (text('issuer') !== issuer) throw new Error(`The provider's document belongs to ${text('issuer')}`);
    const methods = body['token_endpoint_auth_methods_supported'];
    const value = {
      authorization: text('authorization_endpoint'),
      token: text('token_endpoint'),
      jwks: text('jwks_uri'),
      userinfo: body['userinfo_endpoint'] === undefined ? undefined : text('userinfo_endpoint'),
      methods: Array.isArray(methods) ? (methods as string[]) : undefined,
    };
    cached = { at: clock.now(), value };
    return value;
  }

  /** Returns the provider's keys. Reloads them after a missing key, but not for every forged key id. */
  async function keySet(url: string, hasMissed: boolean): Promise<JSONWebKeySet> {
    const now = clock.now();
    const asksAnew = hasMissed && now - missedAt >= KEYS_AGAIN_MS;
    if (asksAnew) missedAt = now;
    if (keys && now - keys.at < HOUR_MS && !asksAnew) return keys.value;
    const { status, body } = await fetch(url);
    if (status !== 200 || !Array.isArray(body['keys'])) throw new Error('The provider has no keys');
    keys = { at: now, value: body as unknown as JSONWebKeySet };
    return keys.value;
  }

  async function exchange(metadata: Metadata, code: string, verifier: string, redirectUri: string) {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const usesPost =
      metadata.methods?.includes('client_secret_post') && !metadata.methods.includes('client_secret_basic');
    const headers: Record<string, string> = {};
    if (clientSecret === undefined || usesPost) form.set('client_id', clientId);
    if (clientSecret !== undefined && usesPost) form.set('client_secret', clientSecret);
    if (clientSecret !== undefined && !usesPost) {
      const pair = [clientId, clientSecret].map((word) => encodeURIComponent(word)).join(':');
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    const { status, body } = await fetch(metadata.token, { form, headers });
    if (status !== 200) throw new Error(`The provider rejected the code: ${String(body['error'])}`);
    return body;
  }

  async function verified(token: string, metadata: Metadata, nonce: string): Promise<JWTPayload> {
    const rules = {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      currentDate: new Date(clock.now()),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp', 'iat'],
    };
    const check = async (hasMissed: boolean) =>
      (await jwtVerify(token, createLocalJWKSet(await keySet(metadata.jwks, hasMissed)), rules)).payload;
    const payload = await check(false).catch((error: unknown) => {
      // The provider may have rotated its keys.
      if (error instanceof errors.JWKSNoMatchingKey) return check(true);
      throw error;
    });
    if (payload['nonce'] !== nonce) throw new Error('The ID token belongs to another sign-in');
    const isForUsAlone =
      !Array.isArray(payload.aud) || payload.aud.length === 1 || payload['azp'] === clientId;
    if (!isForUsAlone) throw new Error('The ID token is for another client');
    return payload;
  }

  async function about(payload: JWTPayload, metadata: Metadata, accessToken: unknown): Promise<JWTPayload> {
    if (payload['email'] !== undefined || metadata.userinfo === undefined || typeof accessToken !== 'string')
      return payload;
    const { status, body } = await fetch(metadata.userinfo, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    if (status !== 200 || body['sub'] !== payload.sub) throw new Error('The user info is about another user');
    return { ...body, ...payload };
  }

  return {
    settings,

    begin: ({ state, nonce, verifier }, redirectUri) =>
      guarded(async () => {
        const url = new URL((await discover()).authorization);
        const challenge = createHash('sha256').update(verifier).digest('base64url');
        for (const [name, value] of Object.entries({
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }))
          url.searchParams.set(name, value);
        return url.href;
      }),

    finish: ({ code, iss }, { nonce, verifier }, redirectUri) =>
      guarded(async () => {
        if (iss !== undefined && iss !== issuer) throw new Error(`The response is from ${iss}`);
        const metadata = await discover();
        const answer = await exchange(metadata, code, verifier, redirectUri);
        if (typeof answer['id_token'] !== 'string') throw new Error('The provider returned no ID token');
        const payload = await verified(answer['id_token'], metadata, nonce);
        const claims = await about(payload, metadata, answer['access_token']);
        const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '');
        return {
          subject: payload.sub!,
          email: text('email').trim(),
          isVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
          name: text('name') || text('preferred_username'),
        };
      }),
  };
}
