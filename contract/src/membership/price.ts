import type { Locale } from '../language/locales.ts';

/** Amounts and currency codes such as `{ USD: 499 }`, in the currency's smallest unit: cents, or yen. */
export type Prices = Readonly<Record<string, number>>;

/** Decimal places of a currency, as in ISO 4217: 2 for USD, 0 for JPY. */
export function minorDigits(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** Formats an amount of a currency's smallest unit, exactly: 499 and USD as "$4.99". */
export function formatPrice(locale: Locale, currency: string, amount: number): string {
  const digits = minorDigits(currency);
  const units = String(amount).padStart(digits + 1, '0');
  const decimal = digits === 0 ? units : `${units.slice(0, -digits)}.${units.slice(-digits)}`;
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(
    decimal as Intl.StringNumericLiteral,
  );
}
