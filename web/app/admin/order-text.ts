import type { AdminOrder } from '@bowerbird/contract';
import type { T } from '#app/i18n/t.ts';

/** Name and length of what was ordered. */
export function contentText(t: T, { name, months, days }: AdminOrder): string {
  const term = months > 0 ? t('payment.months', { count: months }) : t('payment.days', { count: days });
  return `${name} (${term})`;
}
