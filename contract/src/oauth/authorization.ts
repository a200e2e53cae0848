import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { SIGNED_IN, GRANT_SCOPES } from '../scopes.ts';
import { oneOf } from '../wire.ts';
import { open, own, Text } from './fields.ts';
import { AskingApp } from './app.ts';

/** Grants that the token endpoint supports, by their wire names. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/**
 * Parameters that an app passes when it sends someone here (RFC 6749, RFC 7636, OpenID Connect Core); validated by the
 * server.
 */
export const AuthorizationRequest = Type.Object({
  client_id: Text(128),
  redirect_uri: Text(2048),
  response_type: Text(64),
  response_mode: Text(64),
  scope: Text(512),
  state: Text(2048),
  nonce: Text(512),
  code_challenge: Text(256),
  code_challenge_method: Text(16),
  prompt: Text(128),
  max_age: Text(16),
  login_hint: Text(320),
  id_token_hint: Text(8192),
  request: Text(16_384),
  request_uri: Text(2048),
  registration: Text(8192),
});
export type AuthorizationRequest = Static<typeof AuthorizationRequest>;

/** The question that a member answers before an app is approved. */
export const Consent = Type.Object({
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  account: Type.Object({ name: Type.String(), email: Type.String() }),
  /** Destination of the response: the host, or the scheme of an app on the device; "" for a device with a code. */
  destination: Type.String(),
});
export type Consent = Static<typeof Consent>;

const Decision = Type.Optional(oneOf(['allow', 'deny'] as const));

/** Questions to a member whether an app or a device may sign in. */
export const authorizationApi = {
  authorize: endpoint({
    host: 'user',
    credentials: 'optional',
    scope: SIGNED_IN,
    secretReply: true,
    name: 'oauth.authorize',
    method: 'POST',
    path: '/v1/auth/authorize',
    oauth: true,
    summary: 'Authorize an app',
    description:
      "Without a `decision`, returns what to ask the member, or where to redirect right away. With a `decision`, creates the code. Requests whose result can't be sent to the app return an error; the app receives every other result through `redirect_to`.",
    body: Type.Object({
      ...AuthorizationRequest.properties,
      /** Names of the parameters that the app sent more than once. */
      repeated: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
      decision: Decision,
    }),
    reply: Type.Object({ redirect_to: Type.String(), asks: Type.Optional(Consent) }),
    errors: ['invalid_request', 'unauthorized_client', 'login_required'],
  }),
  askDeviceCode: endpoint({
    ...open,
    name: 'oauth.askDeviceCode',
    method: 'POST',
    path: '/v1/auth/device/code',
    anyOrigin: true,
    oauth: true,
    summary: 'Request a device code',
    description: 'Starts signing in on a device without a keyboard (RFC 8628).',
    body: Type.Object({ client_id: Text(128), client_secret: Text(256), scope: Text(512) }),
    reply: Type.Object({
      device_code: Type.String(),
      user_code: Type.String(),
      verification_uri: Type.String(),
      verification_uri_complete: Type.String(),
      /** Seconds. */
      expires_in: Type.Integer(),
      interval: Type.Integer(),
    }),
    errors: ['invalid_request', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'too_frequent'],
  }),
  decideDevice: endpoint({
    ...own,
    name: 'oauth.decideDevice',
    method: 'POST',
    path: '/v1/auth/device',
    secretReply: true,
    summary: 'Approve or deny a device',
    description: 'Without a `decision`, only returns what the device with this code requests.',
    body: Type.Object({ user_code: Type.String({ maxLength: 32 }), decision: Decision }),
    reply: Consent,
    errors: ['not_found', 'expired_token', 'too_frequent'],
  }),
};
