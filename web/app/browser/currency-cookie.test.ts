import { expect, test } from 'vitest';
import { chosenCurrency } from './currency-cookie.ts';

const offered = { currencies: ['JPY', 'USD', 'EUR'], currency: 'JPY' };

test.each([
  ['?currency=EUR', { pp_currency: 'USD' }, 'EUR'],
  ['', { pp_currency: 'USD' }, 'USD'],
  ['?currency=GBP', { pp_currency: 'USD' }, 'USD'],
  ['?currency=GBP', { pp_currency: 'CHF' }, 'JPY'],
  ['', {}, 'JPY'],
])('the address %s with the cookies %o shows prices in %s', (search, cookies, currency) => {
  expect(chosenCurrency(offered, new URLSearchParams(search), cookies)).toBe(currency);
});
