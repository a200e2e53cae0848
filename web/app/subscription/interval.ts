import type { T } from '#app/i18n/t.ts';

/** Offered intervals in minutes. */
export const INTERVALS: readonly number[] = [15, 30, 60, 180, 360, 720, 1440, 10_080];

const HOUR = 60;
const DAY = 24 * HOUR;

/** "Every 6 hours": in the largest unit without a remainder. */
export function intervalText(t: T, minutes: number): string {
  if (minutes % DAY === 0) return t('subscription.every.days', { count: minutes / DAY });
  if (minutes % HOUR === 0) return t('subscription.every.hours', { count: minutes / HOUR });
  return t('subscription.every.minutes', { count: minutes });
}
