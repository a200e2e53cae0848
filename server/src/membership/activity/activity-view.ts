import {
  textIn,
  type activityApi,
  type ActivityGift,
  type ActivitySummary,
  type Locale,
  type ReplyOf,
} from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import type { Plans, Term } from '../plan/index.ts';
import type { CampaignView, Claim } from './activity-service.ts';
import { pathOf, stateOf, typeOf, type Campaign, type Gift } from './activity.ts';

const DAY_MS = 24 * 3600 * 1000;

const giftView = ({ kind, plan, bytes, days }: Gift, locale: Locale): ActivityGift => ({
  kind,
  name: plan ? textIn(plan.name, locale) : '',
  bytes: String(bytes),
  days,
});

/** A benefit that was granted; its plan may not exist any more. */
const benefitView = (
  { kind, plan, bytes, length = 0 }: Term,
  plans: Plans,
  locale: Locale,
): ActivityGift => ({
  kind,
  name: plan === '' ? '' : textIn(plans.find(plan)?.name ?? plan, locale),
  bytes: String(bytes),
  days: Math.round(length / DAY_MS),
});

export const activityView = (campaign: Campaign, now: number, locale: Locale): ActivitySummary => ({
  name: campaign.name,
  id: campaign.id,
  type: typeOf(campaign),
  state: stateOf(campaign, now),
  title: textIn(campaign.title, locale),
  lead: textIn(campaign.lead, locale),
  path: pathOf(campaign),
  begin_time: timeText(campaign.begins),
  end_time: timeText(campaign.ends),
});

export function activityPageView(
  { campaign, isAffected, claimed, today, days, nextAt }: CampaignView,
  { plans, now, locale }: { plans: Plans; now: number; locale: Locale },
): ReplyOf<typeof activityApi.get> {
  const { text, action, compensation, calendar } = campaign;
  return {
    activity: activityView(campaign, now, locale),
    text: textIn(text, locale),
    action: action ? { label: textIn(action.label, locale), url: action.url } : null,
    compensation: compensation
      ? {
          gifts:
            claimed.length > 0
              ? claimed.map((term) => benefitView(term, plans, locale))
              : compensation.gifts.map((gift) => giftView(gift, locale)),
          affected: isAffected,
          claimed_time: maybeTimeText(claimed[0]?.grantedAt),
        }
      : null,
    calendar: calendar
      ? {
          today,
          days: days.map(({ day, state, gift }) => ({
            day,
            state,
            gift: gift ? benefitView(gift, plans, locale) : null,
          })),
          next_time: maybeTimeText(nextAt),
        }
      : null,
  };
}

export function claimView(
  { benefits, isNew }: Claim,
  { plans, locale }: { plans: Plans; locale: Locale },
): ReplyOf<typeof activityApi.compensate> {
  const gifts = benefits.map((term) => benefitView(term, plans, locale));
  return {
    result: 'ACCEPTED',
    message: '',
    redirect_uri: '',
    updated: isNew,
    add_days: Math.max(...gifts.map(({ days }) => days)),
    claimed_time: timeText(benefits[0]!.grantedAt),
    data: { gifts },
  };
}
