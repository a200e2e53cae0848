import type { LedgerItem, LimitItem } from '@bowerbird/contract';
import type { Format } from '#app/i18n/format.ts';
import type { T } from '#app/i18n/t.ts';

/** Periods to filter by, in days. */
export const PERIODS = ['7', '30', '365'] as const;
export type Period = (typeof PERIODS)[number] | '';

/** The cause of a change in words. */
export function causeText(t: T, cause: string): string {
  return t.find(`ledger.cause.${cause}`) ?? t('ledger.cause.other');
}

export function entryText(t: T, { cause, plan }: LedgerItem): string {
  return plan ? t('ledger.part.plan', { plan: plan.name }) : causeText(t, cause);
}

export function partText(t: T, { kind, cause, plan }: LimitItem): string {
  if (plan) return t('ledger.part.plan', { plan: plan.name });
  if (kind === 'storage') return t('ledger.part.storage');
  return cause === 'administrator' ? t('ledger.part.set') : t('ledger.cause.base');
}

/** "+1.2 MB", "−1.2 MB". */
export function changeText(format: Format, amount: string): string {
  const bytes = Number(amount);
  return `${bytes < 0 ? '−' : '+'}${format.bytes(Math.abs(bytes))}`;
}
