import { textIn, type Locale, type membershipApi, type ReplyOf } from '@bowerbird/contract';
import type { Offers } from './offer.ts';

/** The offers as every page contains them, so nothing here may wait for the database. */
export function offersView(
  { freeDays, invitations, checkIn, codes }: Offers & { readonly codes: boolean },
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
  };
}
