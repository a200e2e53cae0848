import { writeCookie } from './cookies.ts';

/** Cookie with the currency in which a visitor wants to see prices. */
export const CURRENCY_COOKIE = 'pp_currency';

const YEAR = 365 * 86_400;

export const rememberCurrency = (currency: string): void =>
  writeCookie(CURRENCY_COOKIE, currency, { maxAge: YEAR });

/** The currency in which prices are shown: that of the address, or else the one chosen last or the visitor's. */
export function chosenCurrency(
  { currencies, currency }: { currencies: readonly string[]; currency: string },
  query: URLSearchParams,
  cookies: Readonly<Record<string, string>>,
): string {
  const wanted = [query.get('currency') ?? '', cookies[CURRENCY_COOKIE] ?? ''];
  return wanted.find((one) => currencies.includes(one)) ?? currency;
}
