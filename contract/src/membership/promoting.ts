import Type from 'typebox';
import { endpoint } from '../endpoint.ts';

const shared = { method: 'GET', host: 'drive', credentials: 'required' } as const;
const Count = Type.Integer({ minimum: 0 });
/** Always 0: inviting is rewarded with days of a plan, not with money. */
const Money = Type.Number({ minimum: 0 });
const Day = Type.Optional(Type.String({ maxLength: 10, description: 'A UTC date such as 2026-11-28.' }));

/** Calls about commissions. Invitations bring days of a plan, so all amounts of money are 0. */
export const promotingApi = {
  commissions: endpoint({
    ...shared,
    name: 'promoting.commissions',
    path: '/promoting/v1/commissions/summary',
    summary: 'Get your commissions',
    description: 'There are no commissions: inviting is rewarded with days of a plan, see `invite.info`.',
    reply: Type.Object({
      total: Money,
      pending: Money,
      available: Money,
      /** Code of the country from which the request comes; `""` if it isn't known. */
      country: Type.String(),
      is_sub_account: Type.Boolean(),
      /** Always empty. */
      sub_accounts: Type.Array(Type.Object({ user_id: Type.String(), nickname: Type.String() })),
      display_custom_admin: Type.Boolean(),
    }),
  }),
  daily: endpoint({
    ...shared,
    name: 'promoting.daily',
    path: '/promoting/v1/commissions/daily',
    summary: 'List the days on which people whom you invited signed up or bought something',
    description: 'Days are in UTC, the oldest first. Days on which nothing happened are left out.',
    query: Type.Object({
      /** The last 30 days if both are absent; at most 366 days. */
      from: Day,
      to: Day,
      /** Your own ID; the list of others is empty. */
      user_id: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    reply: Type.Object({
      C0: Type.Array(
        Type.Object({
          day: Type.String(),
          new_users: Count,
          /** People who made their first purchase. */
          paid_users: Count,
          paid_amount: Money,
          paid_amount_commission: Money,
        }),
      ),
    }),
  }),
  rewards: endpoint({
    ...shared,
    name: 'promoting.rewards',
    path: '/promoting/v1/invited-reward/summary',
    summary: 'Get the sums of your invitations',
    reply: Type.Object({
      /** Days of a plan that you were given for inviting. */
      total: Count,
      /** People who bought something. */
      totalPaidNums: Count,
      /** People who signed up. */
      totalRecommend: Count,
      /** Days that you were given yesterday, in UTC. */
      yesterday: Count,
    }),
  }),
  redemptions: endpoint({
    ...shared,
    name: 'promoting.redemptions',
    path: '/promoting/v1/redemptions',
    summary: 'List your withdrawals of commissions',
    description: 'Always empty, as there are no commissions.',
    reply: Type.Object({ redemptions: Type.Array(Type.Object({})) }),
  }),
};
