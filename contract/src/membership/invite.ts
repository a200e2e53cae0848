import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Limit, oneOf, Time } from '../wire.ts';

const Days = Type.Integer({ minimum: 0 });
const shared = { host: 'drive', credentials: 'required' } as const;

export const inviteApi = {
  welcome: endpoint({
    ...shared,
    name: 'invite.welcome',
    method: 'POST',
    path: '/vip/v1/activity/invite',
    repeatable: true,
    summary: 'Get your days for signing up',
    description:
      'Gives a new member the free days, and those for being invited, once. If there are none, or none any more, the reply contains 0.',
    body: Type.Object({
      /** Such as `web`. */
      from: Type.Optional(Type.String({ maxLength: 64 })),
      rr: Type.Optional(Type.Unknown()),
      tf: Type.Optional(Type.Unknown()),
      rf: Type.Optional(Type.Unknown()),
      /** Code of the member who invited you. */
      invite_code: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    reply: Type.Object({
      /** Free days that are left. */
      free_days: Days,
      /** Days for being invited that are left. */
      invited_days: Days,
      /** Name of the plan, in your language; `""` if nothing is offered. */
      plan: Type.String(),
      /** True only for the call that gave you any days. */
      granted: Type.Boolean(),
    }),
    errors: ['too_frequent'],
  }),
  info: endpoint({
    ...shared,
    name: 'invite.info',
    method: 'GET',
    path: '/vip/v1/activity/inviteInfo',
    summary: 'Get the result of your invitations',
    description: 'Returns your code, how many people signed up with it, and the rules.',
    reply: Type.Object({
      invited_nums: Type.Integer(),
      /** Days that you were given for all invitations. */
      add_days: Days,
      code: Type.String(),
      /** Name of the plan, in your language; `""` if invitations aren't rewarded. */
      plan: Type.String(),
      invited_days: Days,
      inviter_days: Days,
      /** Days for the first purchase of somebody whom you invited; 0 for none. */
      purchase_days: Days,
      /** Days that you can get for all invitations and those purchases together. */
      most_days: Days,
    }),
  }),
  list: endpoint({
    ...shared,
    name: 'invite.list',
    method: 'GET',
    path: '/vip/v1/activity/inviteList',
    summary: 'List whom you invited',
    description:
      'The newest first. Names are masked. A person who has bought something is listed again if you were given days for it.',
    query: Type.Object({
      /** Number of entries to skip. */
      begin: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
      limit: Limit,
    }),
    reply: Type.Object({
      data: Type.Array(
        Type.Object({
          invited_user: Type.String(),
          /**
           * `invite_reward` if you were given days, otherwise `relation`; `vip_rebate` if you were given them for the
           * person's first purchase.
           */
          reward_source: oneOf(['vip_rebate', 'invite_reward', 'relation']),
          reward_days: Days,
          /** `waiting` until the person has stored something. */
          state: oneOf(['waiting', 'rewarded', 'unrewarded']),
          time: Time,
        }),
      ),
      has_more: Type.Boolean(),
    }),
  }),
  check: endpoint({
    ...shared,
    name: 'invite.check',
    method: 'GET',
    path: '/vip/v1/activity/checkInvite',
    summary: 'Check if someone was invited',
    description: 'Says if you were invited, or if you invited another member.',
    query: Type.Object({
      /** Your own ID if absent. */
      userid: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    reply: Type.Object({ invited: Type.Boolean() }),
  }),
};
