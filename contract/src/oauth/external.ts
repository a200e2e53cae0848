import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from '../wire.ts';
import { open, own, Text } from './fields.ts';

/** An external account that a member signs in with. */
export const ExternalIdentity = Type.Object({
  id: Id,
  /** The name that the administrator gave the external service. */
  label: Type.String(),
  /** The member's address there, masked. */
  email: Type.String(),
  created_at: Time,
  used_at: MaybeTime,
});
export type ExternalIdentity = Static<typeof ExternalIdentity>;

/** Signing in with accounts of an external service. */
export const externalApi = {
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
      /** The member's address there, masked. */
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
