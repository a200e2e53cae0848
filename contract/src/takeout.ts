import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SIGNED_IN } from './scopes.ts';
import { Decimal, Empty, Id, MaybeTime, oneOf, Time } from './wire.ts';

const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;
const Params = Type.Object({ id: Id });

/** A zip with what is kept of a member besides the files themselves. */
export const Takeout = Type.Object({
  id: Id,
  state: oneOf(['making', 'ready', 'failed'] as const),
  /** 0 to 100. */
  progress: Type.Integer(),
  /** Bytes, once it is ready; "0" before. */
  size: Decimal,
  created_at: Time,
  /** Until when it can be downloaded. */
  expires_at: MaybeTime,
});
export type Takeout = Static<typeof Takeout>;

export const takeoutApi = {
  list: endpoint({
    ...own,
    name: 'takeout.list',
    method: 'GET',
    path: '/v1/user/takeouts',
    summary: 'Copies of my data, the newest first',
    reply: Type.Object({ takeouts: Type.Array(Takeout) }),
  }),
  /** Where one is being made already, this is the one. */
  begin: endpoint({
    ...own,
    name: 'takeout.begin',
    method: 'POST',
    path: '/v1/user/takeouts',
    summary: 'Have a copy of my data made',
    reply: Takeout,
    errors: ['too_frequent'],
  }),
  /** The link is good for some minutes, and for its owner's own session. */
  open: endpoint({
    ...own,
    name: 'takeout.open',
    method: 'POST',
    path: '/v1/user/takeouts/{id}/link',
    secretReply: true,
    summary: 'Where a copy of my data is downloaded',
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
    summary: 'Forget a copy of my data',
    params: Params,
    reply: Empty,
    errors: ['not_found'],
  }),
};
