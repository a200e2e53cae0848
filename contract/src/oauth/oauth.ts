import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { GRANT_SCOPES, SIGNED_IN } from '../scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from '../wire.ts';

/** Grants that the token endpoint supports, by their names on the wire. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

const Text = (most: number) => Type.Optional(Type.String({ maxLength: most }));

/** Parameters that an app sends someone here with (RFC 6749, RFC 7636, OpenID Connect Core); validated by the server. */
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

/** An app as shown to the person who is asked to approve it. */
export const AskingApp = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  /** Its site, or "". */
  uri: Type.String(),
  /** `own` is part of this service, `known` was set up by its administrator, `registered` registered itself. */
  standing: oneOf(['own', 'known', 'registered'] as const),
});
export type AskingApp = Static<typeof AskingApp>;

/** The question to a member before an app is approved. */
export const Consent = Type.Object({
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  account: Type.Object({ name: Type.String(), email: Type.String() }),
  /** Destination of the answer: the host, or the scheme of an app on the device; "" for a device with a code. */
  destination: Type.String(),
});
export type Consent = Static<typeof Consent>;

const Decision = Type.Optional(oneOf(['allow', 'deny'] as const));

/** An app that a member approved. */
export const ConnectedApp = Type.Object({
  id: Id,
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  created_at: Time,
  used_at: MaybeTime,
});
export type ConnectedApp = Static<typeof ConnectedApp>;

/** An external account that a member signs in with. */
export const ExternalIdentity = Type.Object({
  id: Id,
  /** The administrator's name for the external service. */
  label: Type.String(),
  /** The address there, masked. */
  email: Type.String(),
  created_at: Time,
  used_at: MaybeTime,
});
export type ExternalIdentity = Static<typeof ExternalIdentity>;

const open = { host: 'user', credentials: 'none' } as const;
const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;
const Userinfo = Type.Object({
  sub: Type.String(),
  name: Type.Optional(Type.String()),
  picture: Type.Optional(Type.String()),
  locale: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean()),
});
const Document = Type.Record(Type.String(), Type.Unknown());

export const oauthApi = {
  openidConfiguration: endpoint({
    ...open,
    name: 'oauth.openidConfiguration',
    method: 'GET',
    path: '/.well-known/openid-configuration',
    anyOrigin: true,
    summary: 'Get the OpenID Connect configuration',
    description: 'Describes how programs let members sign in (OpenID Connect Discovery).',
    reply: Document,
  }),
  serverMetadata: endpoint({
    ...open,
    name: 'oauth.serverMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    anyOrigin: true,
    summary: 'Get the OAuth 2.0 server metadata',
    description: 'The same information for OAuth 2.0 (RFC 8414).',
    reply: Document,
  }),
  keys: endpoint({
    ...open,
    name: 'oauth.keys',
    method: 'GET',
    path: '/v1/auth/jwks',
    anyOrigin: true,
    summary: 'Get the public keys of tokens',
    description: 'Returns a JSON Web Key Set (RFC 7517).',
    reply: Type.Object({ keys: Type.Array(Document) }),
  }),
  doors: endpoint({
    ...open,
    name: 'oauth.doors',
    method: 'GET',
    path: '/v1/auth/doors',
    summary: 'Get the optional sign-in methods',
    description: "Methods that are always available aren't included.",
    reply: Type.Object({
      /** Name of the external service whose accounts can sign in here, or "". */
      external: Type.String(),
      /** IDs of the browser extensions that may bring a code. */
      extensions: Type.Array(Type.String()),
      /** True if a code sent by email is enough to sign in, without a password. */
      mail_code: Type.Boolean(),
      /** The same for a code sent by text message. */
      phone_code: Type.Boolean(),
    }),
  }),
  register: endpoint({
    ...open,
    name: 'oauth.register',
    method: 'POST',
    path: '/v1/clients-registrations/openid-connect',
    anyOrigin: true,
    oauth: true,
    status: 201,
    summary: 'Register an app',
    description:
      'Registers the app dynamically (RFC 7591). An app that is never used is deleted after a week.',
    body: Type.Object({
      client_name: Text(256),
      client_uri: Text(2048),
      redirect_uris: Type.Optional(Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 16 })),
      grant_types: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 8 })),
      response_types: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 8 })),
      token_endpoint_auth_method: Text(64),
      scope: Text(512),
    }),
    reply: Document,
    errors: [
      'invalid_request',
      'invalid_redirect_uri',
      'invalid_client_metadata',
      'registration_not_supported',
      'too_frequent',
    ],
  }),
  userinfo: endpoint({
    host: 'user',
    credentials: 'required',
    scope: 'openid',
    name: 'oauth.userinfo',
    method: 'GET',
    path: '/v1/auth/userinfo',
    anyOrigin: true,
    oauth: true,
    summary: 'Get the signed-in member',
    description: 'Returns OpenID Connect claims. The `profile` and `email` scopes determine which.',
    reply: Userinfo,
    errors: ['unauthenticated', 'permission_denied'],
  }),
  postUserinfo: endpoint({
    host: 'user',
    credentials: 'required',
    scope: 'openid',
    name: 'oauth.postUserinfo',
    method: 'POST',
    path: '/v1/auth/userinfo',
    anyOrigin: true,
    oauth: true,
    repeatable: true,
    summary: 'Get the signed-in member by POST',
    description: 'Same as `GET /v1/auth/userinfo`.',
    reply: Userinfo,
    errors: ['unauthenticated', 'permission_denied'],
  }),
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
      "Without a `decision`, returns what to ask the member, or where to redirect right away. With a `decision`, creates the code. Requests that can't be answered to the app return an error; the app receives every other result through `redirect_to`.",
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
  handOver: endpoint({
    ...own,
    name: 'oauth.handOver',
    method: 'POST',
    path: '/v1/auth/handover',
    secretReply: true,
    summary: 'Create a handover code',
    description:
      "With the code, the site's own pages continue as this member. It works once, within a minute. For the site's own apps and extensions.",
    reply: Type.Object({ code: Type.String(), expires_in: Type.Integer() }),
  }),
  inspectCode: endpoint({
    ...open,
    name: 'oauth.inspectCode',
    method: 'POST',
    path: '/v1/auth/handover:inspect',
    summary: 'Inspect a handover code',
    description: 'Returns whose code it is, before it is used.',
    body: Type.Object({ code: Type.String({ maxLength: 256 }) }),
    reply: Type.Object({ sub: Type.String(), name: Type.String(), email: Type.String() }),
    errors: ['invalid_grant', 'too_frequent'],
  }),
  listApps: endpoint({
    ...own,
    name: 'oauth.listApps',
    method: 'GET',
    path: '/v1/user/apps',
    summary: 'List connected apps',
    reply: Type.Object({ apps: Type.Array(ConnectedApp) }),
  }),
  removeApp: endpoint({
    ...own,
    name: 'oauth.removeApp',
    method: 'DELETE',
    path: '/v1/user/apps/{id}',
    summary: "Revoke an app's access",
    description: "The app's tokens stop working right away.",
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  beginExternal: endpoint({
    ...open,
    name: 'oauth.beginExternal',
    method: 'POST',
    path: '/v1/auth/external:begin',
    summary: 'Start signing in with an external account',
    description:
      'Returns the address to send the person to. The response has to arrive through the same browser.',
    body: Type.Object({ continue: Text(2048) }),
    reply: Type.Object({ redirect_to: Type.String() }),
    errors: ['unsupported', 'third_party_failed', 'temporarily_unavailable'],
  }),
  finishExternal: endpoint({
    ...open,
    name: 'oauth.finishExternal',
    method: 'POST',
    path: '/v1/auth/external:finish',
    summary: 'Finish signing in with an external account',
    description:
      'Takes the response of the external service. The outcome is `in` after signing in, or `link` if the owner of the account with this address has to link the two accounts.',
    body: Type.Object({
      code: Text(4096),
      state: Text(512),
      iss: Text(2048),
      error: Text(256),
    }),
    reply: Type.Object({
      outcome: oneOf(['in', 'link'] as const),
      continue: Type.String(),
      /** The address there, masked. */
      email: Type.String(),
    }),
    errors: [
      'third_party_failed',
      'server_error',
      'temporarily_unavailable',
      'access_denied',
      'token_expired',
      'permission_denied',
      'second_factor_required',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  linkExternal: endpoint({
    ...own,
    name: 'oauth.linkExternal',
    method: 'POST',
    path: '/v1/user/external:link',
    summary: 'Link an external account',
    description:
      'Returns the external account that this browser just came back with. With `confirm`, links it for signing in.',
    body: Type.Object({ confirm: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ label: Type.String(), email: Type.String() }),
    errors: ['token_expired', 'already_exists', 'permission_denied'],
  }),
  listExternal: endpoint({
    ...own,
    name: 'oauth.listExternal',
    method: 'GET',
    path: '/v1/user/external',
    summary: 'List linked external accounts',
    reply: Type.Object({ identities: Type.Array(ExternalIdentity) }),
  }),
  unlinkExternal: endpoint({
    ...own,
    name: 'oauth.unlinkExternal',
    method: 'POST',
    path: '/v1/user/external:unlink',
    summary: 'Unlink an external account',
    description:
      'The external account can no longer be used to sign in. Members without a password have to set one first.',
    body: Type.Object({ id: Id, password: Type.String({ maxLength: LIMITS.passwordMax }) }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
