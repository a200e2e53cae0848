import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { GRANT_SCOPES } from '../scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from '../wire.ts';
import { Document, open, own, Text } from './fields.ts';

/** An app as shown to the person who is asked to approve it. */
export const AskingApp = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  /** The app's site, or "". */
  uri: Type.String(),
  /** `own` is part of this service, `known` was set up by its administrator, `registered` registered itself. */
  standing: oneOf(['own', 'known', 'registered'] as const),
});
export type AskingApp = Static<typeof AskingApp>;

/** An app that a member approved. */
export const ConnectedApp = Type.Object({
  id: Id,
  app: AskingApp,
  scopes: Type.Array(oneOf(GRANT_SCOPES)),
  created_at: Time,
  used_at: MaybeTime,
});
export type ConnectedApp = Static<typeof ConnectedApp>;

const Userinfo = Type.Object({
  sub: Type.String(),
  name: Type.Optional(Type.String()),
  picture: Type.Optional(Type.String()),
  locale: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean()),
});

/** Apps that sign members in: their registration, what they learn, and the list of those that a member approved. */
export const appApi = {
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
};

export const connectedAppApi = {
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
};
