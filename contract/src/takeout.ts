import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SIGNED_IN } from './scopes.ts';
import { Decimal, Empty, Id, MaybeTime, oneOf, Time } from './wire.ts';

const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;
const Params = Type.Object({ id: Id });

/** A zip with all data about a member except the files themselves. */
export const Takeout = Type.Object({
  id: Id,
  state: oneOf(['making', 'ready', 'failed'] as const),
  /** 0 to 100. */
  progress: Type.Integer(),
  /** Bytes once it is ready; "0" until then. */
  size: Decimal,
  created_at: Time,
  /** When the download expires. */
  expires_at: MaybeTime,
});
export type Takeout = Static<typeof Takeout>;

export const takeoutApi = {
  list: endpoint({
    ...own,
    name: 'takeout.list',
    method: 'GET',
    path: '/v1/user/takeouts',
    summary: 'List copies of your data',
    description: 'Returns the newest first.',
    reply: Type.Object({ takeouts: Type.Array(Takeout) }),
  }),
  begin: endpoint({
    ...own,
    name: 'takeout.begin',
    method: 'POST',
    path: '/v1/user/takeouts',
    summary: 'Create a copy of your data',
    description: 'If a copy is already being created, returns that one.',
    reply: Takeout,
    errors: ['too_frequent'],
  }),
  open: endpoint({
    ...own,
    name: 'takeout.open',
    method: 'POST',
    path: '/v1/user/takeouts/{id}/link',
    secretReply: true,
    summary: 'Get a download link for a copy of your data',
    description: "The link is valid for a few minutes, and only in its owner's own session.",
    params: Params,
    body: Type.Object({ password: Type.String({ maxLength: LIMITS.passwordMax }) }),
    reply: Type.Object({ url: Type.String() }),
    errors: ['not_found', 'invalid_password', 'account_locked_retry', 'account_locked'],
  }),
  remove: endpoint({
    ...own,
    name: 'takeout.remove',
    method: 'DELETE',
    path: '/v1/user/takeouts/{id}',
    summary: 'Delete a copy of your data',
    params: Params,
    reply: Empty,
    errors: ['not_found'],
  }),
};
