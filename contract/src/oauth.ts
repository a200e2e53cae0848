import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { GRANT_SCOPES, SIGNED_IN } from './scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from './wire.ts';

/** Grants that the token endpoint knows, by their names on the wire. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

const Text = (most: number) => Type.Optional(Type.String({ maxLength: most }));

/** What an app asks for when it sends somebody here (RFC 6749, RFC 7636, OpenID Connect Core); judged by the server. */
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

/** An app as somebody sees it who is asked to let it in. */
export const AskingApp = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  /** Its site, or "". */
  uri: Type.String(),
  /** `own` is part of this service, `known` was set up by its operator, `registered` made itself known. */
  standing: oneOf(['own', 'known', 'registered'] as const),
});
export type AskingApp = Static<typeof AskingApp>;

/** What somebody is asked before an app gets in. */
export const Consent = Type.Object({
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  account: Type.Object({ name: Type.String(), email: Type.String() }),
  /** Where the answer goes: the host, or the scheme of an app on the device; "" for a device with a code. */
  destination: Type.String(),
});
export type Consent = Static<typeof Consent>;

const Decision = Type.Optional(oneOf(['allow', 'deny'] as const));

/** An app that somebody let in. */
export const ConnectedApp = Type.Object({
  id: Id,
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  created_at: Time,
  used_at: MaybeTime,
});
export type ConnectedApp = Static<typeof ConnectedApp>;

/** An account elsewhere with which a member signs in here. */
export const ExternalIdentity = Type.Object({
  id: Id,
  /** What the operator calls the other service. */
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
    summary: 'How programs let members sign in here (OpenID Connect Discovery)',
    reply: Document,
  }),
  serverMetadata: endpoint({
    ...open,
    name: 'oauth.serverMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    anyOrigin: true,
    summary: 'The same for OAuth 2.0 (RFC 8414)',
    reply: Document,
  }),
  keys: endpoint({
    ...open,
    name: 'oauth.keys',
    method: 'GET',
    path: '/v1/auth/jwks',
    anyOrigin: true,
    summary: 'Public keys of tokens (RFC 7517)',
    reply: Type.Object({ keys: Type.Array(Document) }),
  }),
  doors: endpoint({
    ...open,
    name: 'oauth.doors',
    method: 'GET',
    path: '/v1/auth/doors',
    summary: 'Ways to sign in besides those that are always there',
    reply: Type.Object({
      /** What the other service is called whose accounts are good here, or "". */
      external: Type.String(),
      /** Ids of the browser extensions that may bring a code. */
      extensions: Type.Array(Type.String()),
      /** Whether a code that comes by mail opens an account, so no password is needed. */
      mail_code: Type.Boolean(),
      /** The same of one that comes as a text message. */
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
    summary: 'Make a program known (RFC 7591); one that is never used is forgotten after a week',
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
    summary: 'Who has signed in (OpenID Connect): as much as the scopes profile and email say',
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
    summary: 'The same by POST',
    reply: Userinfo,
    errors: ['unauthenticated', 'permission_denied'],
  }),
  /**
   * Without a decision it says what to ask, or where to go on at once; with one it makes the code. Requests that can't be
   * answered to the app are errors here; everything else is told to the app, in `redirect_to`.
   */
  authorize: endpoint({
    host: 'user',
    credentials: 'optional',
    scope: SIGNED_IN,
    secretReply: true,
    name: 'oauth.authorize',
    method: 'POST',
    path: '/v1/auth/authorize',
    oauth: true,
    summary: 'Let an app in, or say what it asks for',
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
    summary: 'Begin signing a device in that has no keyboard (RFC 8628)',
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
    summary: 'What a device with this code asks for; with a decision, let it in or refuse it',
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
    summary:
      'A code, good once and for a minute, with which our own pages go on as this member; for apps and extensions of ours',
    reply: Type.Object({ code: Type.String(), expires_in: Type.Integer() }),
  }),
  inspectCode: endpoint({
    ...open,
    name: 'oauth.inspectCode',
    method: 'POST',
    path: '/v1/auth/handover:inspect',
    summary: 'Whose such a code is, before it is used',
    body: Type.Object({ code: Type.String({ maxLength: 256 }) }),
    reply: Type.Object({ sub: Type.String(), name: Type.String(), email: Type.String() }),
    errors: ['invalid_grant', 'too_frequent'],
  }),
  listApps: endpoint({
    ...own,
    name: 'oauth.listApps',
    method: 'GET',
    path: '/v1/user/apps',
    summary: 'Apps that I let in',
    reply: Type.Object({ apps: Type.Array(ConnectedApp) }),
  }),
  removeApp: endpoint({
    ...own,
    name: 'oauth.removeApp',
    method: 'DELETE',
    path: '/v1/user/apps/{id}',
    summary: 'Let an app in no more; what it holds ends at once',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  beginExternal: endpoint({
    ...open,
    name: 'oauth.beginExternal',
    method: 'POST',
    path: '/v1/auth/external:begin',
    summary:
      'Where to send somebody who signs in with an account elsewhere; this browser then brings the answer',
    body: Type.Object({ continue: Text(2048) }),
    reply: Type.Object({ redirect_to: Type.String() }),
    errors: ['unsupported', 'third_party_failed', 'temporarily_unavailable'],
  }),
  finishExternal: endpoint({
    ...open,
    name: 'oauth.finishExternal',
    method: 'POST',
    path: '/v1/auth/external:finish',
    summary:
      'Go on with what the other service answered: signed in, or to be linked by the owner of the account with this address',
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
    summary:
      'Which account elsewhere this browser came back with just now; once confirmed, its owner signs in with it',
    body: Type.Object({ confirm: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ label: Type.String(), email: Type.String() }),
    errors: ['token_expired', 'already_exists', 'permission_denied'],
  }),
  listExternal: endpoint({
    ...own,
    name: 'oauth.listExternal',
    method: 'GET',
    path: '/v1/user/external',
    summary: 'Accounts elsewhere with which I sign in',
    reply: Type.Object({ identities: Type.Array(ExternalIdentity) }),
  }),
  unlinkExternal: endpoint({
    ...own,
    name: 'oauth.unlinkExternal',
    method: 'POST',
    path: '/v1/user/external:unlink',
    summary: 'Sign in with it no more; whoever has no password yet sets one first',
    body: Type.Object({ id: Id, password: Type.String({ maxLength: LIMITS.passwordMax }) }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
