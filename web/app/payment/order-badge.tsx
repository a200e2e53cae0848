import type { OrderState } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const TONES: Readonly<Record<OrderState, BadgeTone>> = {
  open: 'warning',
  paid: 'success',
  canceled: 'neutral',
  expired: 'neutral',
  refunded: 'neutral',
};

/** State of an order in words. */
export function OrderBadge({ state }: { state: OrderState }) {
  const t = useT();
  return <Badge tone={TONES[state]}>{t(`payment.state.${state}`)}</Badge>;
}
