import { textIn, type Locale, type membershipApi, type ProductKind, type ReplyOf } from '@bowerbird/contract';
import type { Offers } from './offer.ts';

/** Everything that members can receive or buy. */
export interface Offered extends Offers {
  /** True if there are activation codes. */
  readonly codes: boolean;
  readonly kindsForSale: readonly ProductKind[];
  /** True if the free plan limits traffic per month. */
  readonly isTrafficLimited: boolean;
}

/** The offers as every page contains them, so nothing here may wait for the database. */
export function offersView(
  { freeDays, invitations, checkIn, tasks, codes, kindsForSale, isTrafficLimited }: Offered,
  locale: Locale,
): ReplyOf<typeof membershipApi.offers> {
  return {
    codes,
    free_days: freeDays?.days ?? 0,
    free_plan: freeDays ? textIn(freeDays.plan.name, locale) : '',
    invitations: invitations
      ? {
          plan: textIn(invitations.plan.name, locale),
          invited_days: invitations.invitedDays,
          inviter_days: invitations.inviterDays,
        }
      : null,
    check_in: checkIn
      ? {
          plan: textIn(checkIn.plan.name, locale),
          rewards: checkIn.rewards.map(({ streak, days }) => ({ streak, days })),
        }
      : null,
    tasks:
      tasks && tasks.days.size > 0
        ? {
            plan: textIn(tasks.plan.name, locale),
            rewards: [...tasks.days].map(([scene, days]) => ({ scene, days })),
          }
        : null,
    monthly_traffic: isTrafficLimited,
    products: [...kindsForSale],
  };
}
