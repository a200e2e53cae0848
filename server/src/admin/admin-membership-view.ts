import { formatPrice, textIn, type AdminOrder, type CodeBatch, type Locale } from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import { orderView, type ListedBatch, type Plans } from '../membership/index.ts';
import type { DeskOrder } from './order-desk-service.ts';

const DAY_MS = 24 * 3600 * 1000;

export const deskOrderView = ({ order, buyer }: DeskOrder, locale: Locale): AdminOrder => ({
  ...orderView(order, locale),
  price: formatPrice(locale, order.currency, order.amount),
  account: order.account,
  buyer,
});

function stateOf({ startsAt, endsAt = Infinity }: ListedBatch, now: number): CodeBatch['state'] {
  if (endsAt <= now) return 'ended';
  return startsAt > now ? 'coming' : 'active';
}

export function batchView(
  batch: ListedBatch,
  { plans, locale, now }: { plans: Plans; locale: Locale; now: number },
): CodeBatch {
  const plan = plans.find(batch.plan);
  return {
    id: batch.id,
    note: batch.note,
    kind: batch.kind,
    plan: batch.plan,
    plan_name: plan ? textIn(plan.name, locale) : '',
    bytes: String(batch.bytes),
    days: Math.round(batch.length / DAY_MS),
    count: batch.count,
    uses: batch.uses,
    used: batch.used,
    audience: batch.audience,
    state: stateOf(batch, now),
    exportable: batch.isExportable,
    created_at: timeText(batch.createdAt),
    starts_at: timeText(batch.startsAt),
    ends_at: maybeTimeText(batch.endsAt),
  };
}
