import { writeCookie } from './cookies.ts';

/** Cookie with the currency in which a visitor wants to see prices. */
export const CURRENCY_COOKIE = 'pp_currency';

const YEAR = 365 * 86_400;

export const rememberCurrency = (currency: string): void =>
  writeCookie(CURRENCY_COOKIE, currency, { maxAge: YEAR });
