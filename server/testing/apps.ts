import { createHash, randomBytes } from 'node:crypto';
import { oauthApi, type AuthorizationRequest, type TokenReply } from '@bowerbird/contract';
import type { LightMyRequestResponse } from 'fastify';
import type { Member } from './member.ts';
import type { TestApp } from './test-app.ts';

/** An app that members can authorize, with its requests and secrets. */
export interface VisitingApp {
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirectUri: string;
  readonly verifier: string;
  /** Returns the authorization request with which the app sends a member here. */
  request(more?: AuthorizationRequest): AuthorizationRequest;
  /** Posts a form to the token endpoint. */
  ask(form: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Lets a member authorize the app, and exchanges the code for tokens. */
  letIn(
    member: Member,
    more?: AuthorizationRequest,
  ): Promise<TokenReply & { access_token: string; refresh_token: string }>;
  /** Returns the code that the app gets when a member authorizes it. */
  codeOf(member: Member, more?: AuthorizationRequest): Promise<string>;
  exchange(code: string, more?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** Registers an app with the service. */
export async function visitingApp(
  app: TestApp,
  {
    redirectUri = 'https://app.example.org/back',
    method = 'none',
  }: { redirectUri?: string; method?: 'none' | 'client_secret_basic' } = {},
): Promise<VisitingApp> {
  const made = await app.visitor.call(oauthApi.register, {
    body: {
      client_name: 'Picture Frame',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: method,
    },
  });
  const id = made['client_id'] as string;
  const secret = made['client_secret'] as string | undefined;
  const verifier = randomBytes(32).toString('base64url');
  const visiting: VisitingApp = {
    id,
    secret,
    redirectUri,
    verifier,
    request: (more = {}) => ({
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid user pan',
      state: 'a state & more',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }),
    ask: (form) =>
      app.visitor.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(secret && { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }),
        },
        payload: new URLSearchParams({ client_id: id, ...form }).toString(),
      }),
    async codeOf(member, more) {
      const { redirect_to: to } = await member.call(oauthApi.authorize, {
        body: { ...visiting.request(more), decision: 'allow' },
      });
      return new URL(to).searchParams.get('code')!;
    },
    exchange: (code, more = {}) =>
      visiting.ask({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...more,
      }),
    letIn: async (member, more) => (await visiting.exchange(await visiting.codeOf(member, more))).json(),
  };
  return visiting;
}
