import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { SCOPES } from '../scopes.ts';
import { Empty, Id, MaybeTime, oneOf, Time } from '../wire.ts';
import { Password } from '../account/fields.ts';
import { own } from './own.ts';

export const PASS_KINDS = ['app_password', 'access_token'] as const;
export type PassKind = (typeof PASS_KINDS)[number];

/** Access for one program. Its secret is shown once, when it is created. */
export const Pass = Type.Object({
  id: Id,
  kind: oneOf(PASS_KINDS),
  name: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  created_at: Time,
  expires_at: MaybeTime,
  used_at: MaybeTime,
  /** Network address of the last use, or "". */
  used_from: Type.String(),
});
export type Pass = Static<typeof Pass>;

export const passApi = {
  listPasses: endpoint({
    ...own,
    name: 'security.listPasses',
    method: 'GET',
    path: '/v1/user/passes',
    summary: 'List app passwords and access tokens',
    reply: Type.Object({ passes: Type.Array(Pass) }),
  }),
  createPass: endpoint({
    ...own,
    name: 'security.createPass',
    method: 'POST',
    path: '/v1/user/passes',
    secretReply: true,
    summary: 'Create an app password or access token',
    description: 'Requires the password of the account.',
    body: Type.Object({
      password: Password,
      kind: oneOf(PASS_KINDS),
      name: Type.String({ maxLength: 256 }),
      scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
      /** 30 to 365, default 90; 0 means that it never expires, for app passwords only. */
      days: Type.Optional(Type.Integer()),
    }),
    reply: Type.Object({ pass: Pass, secret: Type.String() }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'account_limit'],
  }),
  revokePass: endpoint({
    ...own,
    name: 'security.revokePass',
    method: 'POST',
    path: '/v1/user/passes:revoke',
    summary: 'Revoke an app password or access token',
    description: 'Also ends the sessions that were opened with it.',
    body: Type.Object({ id: Id, password: Password }),
    reply: Empty,
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
};
