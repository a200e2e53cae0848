import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { ANY } from '../scopes.ts';
import { Empty } from '../wire.ts';
import { Client, Delivery } from './fields.ts';

export const TokenReply = Type.Object({
  token_type: Type.Optional(Type.Literal('Bearer')),
  access_token: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  /** Seconds. */
  expires_in: Type.Integer(),
  /** The account's ID. */
  sub: Type.String(),
  /** Scopes of the tokens, if they belong to an app. */
  scope: Type.Optional(Type.String()),
  id_token: Type.Optional(Type.String()),
});
export type TokenReply = Static<typeof TokenReply>;

export const tokenApi = {
  token: endpoint({
    name: 'account.token',
    method: 'POST',
    path: '/v1/auth/token',
    anyOrigin: true,
    oauth: true,
    host: 'user',
    credentials: 'none',
    summary: 'Exchange a grant for tokens',
    description:
      'Accepts a refresh token, the authorization code of an approved app, or a device code. An exchanged refresh token expires after a short grace period.',
    body: Type.Object({
      ...Client,
      grant_type: Type.Optional(Type.String({ maxLength: 128 })),
      refresh_token: Type.Optional(Type.String({ maxLength: 4096 })),
      code: Type.Optional(Type.String({ maxLength: 256 })),
      redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
      code_verifier: Type.Optional(Type.String({ maxLength: 256 })),
      device_code: Type.Optional(Type.String({ maxLength: 256 })),
      scope: Type.Optional(Type.String({ maxLength: 512 })),
      session: Delivery,
    }),
    reply: TokenReply,
    errors: [
      'invalid_request',
      'unsupported_grant_type',
      'invalid_client',
      'unauthorized_client',
      'invalid_scope',
      'invalid_grant',
      'access_denied',
      'authorization_pending',
      'slow_down',
      'expired_token',
      'account_frozen',
      'account_under_review',
      'account_not_activated',
      'account_in_cancellation',
    ],
  }),
  signOut: endpoint({
    name: 'account.signOut',
    method: 'POST',
    path: '/v1/auth/revoke',
    anyOrigin: true,
    oauth: true,
    host: 'user',
    scope: ANY,
    credentials: 'optional',
    summary: 'Sign out',
    description: 'Ends the current session, or the session of the given token (RFC 7009).',
    body: Type.Object({
      token: Type.Optional(Type.String({ maxLength: 8192 })),
      token_type_hint: Type.Optional(Type.String({ maxLength: 64 })),
      client_id: Type.Optional(Type.String({ maxLength: 128 })),
      client_secret: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    reply: Empty,
    errors: ['invalid_request', 'invalid_client', 'invalid_grant'],
  }),
};
