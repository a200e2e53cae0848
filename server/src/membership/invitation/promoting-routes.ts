import { ApiFailure, promotingApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { dayOf } from '../check-in.ts';
import { DAY_MS } from './invitation.ts';
import type { Invites } from './invitation-service.ts';

interface Parts {
  invites: Invites;
  clock: Clock;
}

/** Days that are listed unless others are requested. */
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** Reads a UTC date as the number of days since 1970; throws `invalid_argument`. */
function dayIn(text: string | undefined, field: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / DAY_MS;
  if (!Number.isInteger(day) || dayOf(day * DAY_MS) !== text)
    throw new ApiFailure('invalid_argument', { field });
  return day;
}

/** Calls about commissions: this service rewards with days, so all amounts of money are 0. */
export function mountPromoting(api: Api, { invites, clock }: Parts): void {
  const today = (): number => Math.floor(clock.now() / DAY_MS);

  api.handle(promotingApi.commissions, async ({ caller }) => ({
    total: 0,
    pending: 0,
    available: 0,
    country: caller.country,
    is_sub_account: false,
    sub_accounts: [],
    display_custom_admin: false,
  }));

  api.handle(promotingApi.daily, async ({ query, viewer: { account } }) => {
    const to = dayIn(query.to, 'to') ?? today();
    const from = dayIn(query.from, 'from') ?? to - USUAL_DAYS + 1;
    if (from > to || to - from >= MOST_DAYS) throw new ApiFailure('invalid_argument', { field: 'from' });
    if (query.user_id && query.user_id !== account) return { C0: [] };
    const days = await invites.daysOf(account, { from: from * DAY_MS, before: (to + 1) * DAY_MS });
    return {
      C0: days.map(({ day, invited, buyers }) => ({
        day: dayOf(day * DAY_MS),
        new_users: invited,
        paid_users: buyers,
        paid_amount: 0,
        paid_amount_commission: 0,
      })),
    };
  });

  api.handle(promotingApi.rewards, async ({ viewer: { account } }) => {
    await invites.rewardNow(account);
    const { invited, days } = await invites.sumsOf(account);
    const day = today() * DAY_MS;
    return {
      total: days,
      totalPaidNums: await invites.buyersOf(account),
      totalRecommend: invited,
      yesterday: await invites.earnedIn(account, { from: day - DAY_MS, before: day }),
    };
  });

  api.handle(promotingApi.redemptions, async () => ({ redemptions: [] }));
}
