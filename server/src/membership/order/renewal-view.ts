import { textIn, type Locale, type MemberRenewal } from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import type { Renewal } from './renewal-service.ts';

export const renewalView = (renewal: Renewal, locale: Locale): MemberRenewal => ({
  id: renewal.id,
  state: renewal.state,
  name: textIn(renewal.order.name, locale),
  plan: renewal.plan,
  months: renewal.order.months,
  currency: renewal.order.currency,
  amount: renewal.order.amount,
  created_time: timeText(renewal.createdAt),
  next_charge_time: maybeTimeText(renewal.state === 'active' ? renewal.nextAt : undefined),
  paid_until_time: maybeTimeText(renewal.paidUntil),
});
