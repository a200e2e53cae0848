import type { LocalText, Locale, OrderState, ProductKind } from '@bowerbird/contract';
import { CLEAR_LETTERS, drawLetters } from '../../foundation/index.ts';

/** An order of a member, with everything that was agreed: later changes of the catalog don't affect it. */
export interface OrderRow {
  readonly id: string;
  readonly account: string;
  /** Quoted in the payment, unique. */
  readonly reference: string;
  readonly state: OrderState;
  readonly product: string;
  readonly term: string;
  readonly kind: ProductKind;
  readonly name: LocalText;
  /** Id of the plan; "" for the others. */
  readonly plan: string;
  /** Bytes of additional storage, or of additional traffic per month and kind; 0 for a plan. */
  readonly bytes: number;
  readonly months: number;
  readonly days: number;
  /** Milliseconds. */
  readonly length: number;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  /** True if it starts or continues a renewal. */
  readonly renews: boolean;
  /** Id of the renewal; "" until it has begun, and for the others. */
  readonly renewal: string;
  /** The payment service's id of the invoice by which a renewal paid it; unique. */
  readonly invoice: string | undefined;
  readonly createdAt: number;
  /** When it expires unless it is paid. */
  readonly expiresAt: number;
  readonly paidAt: number | undefined;
  /** When it was canceled, expired or refunded. */
  readonly endedAt: number | undefined;
}

/**
 * States from which an order gets into each state. Money that arrives after an order was canceled or has expired still
 * pays it, so the result is the same in whichever order the two happen.
 */
export const FROM: Readonly<Record<Exclude<OrderState, 'open'>, readonly OrderState[]>> = {
  paid: ['open', 'canceled', 'expired'],
  canceled: ['open'],
  expired: ['open'],
  refunded: ['paid'],
};

/** Time to pay an order. */
export const TIME_TO_PAY_MS = 14 * 24 * 3600 * 1000;
/** Orders of an account that can be open at the same time. */
export const MOST_OPEN = 5;

/** Upper case, as banks transmit it. */
const LETTERS = CLEAR_LETTERS.toUpperCase();
const REFERENCE_LENGTH = 8;

export function drawReference(): string {
  return drawLetters(LETTERS, REFERENCE_LENGTH);
}

/** Reads a reference as people write it: in any case, with spaces or dashes. */
export const readReference = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** Currencies of countries whose visitors see prices in them if there are any. */
const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = {
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CN: 'CNY',
  GB: 'GBP',
  HK: 'HKD',
  ID: 'IDR',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  MY: 'MYR',
  PL: 'PLN',
  RU: 'RUB',
  SG: 'SGD',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
};
const EURO_COUNTRIES: ReadonlySet<string> = new Set(
  'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
);
/** Languages that are spoken mostly in one country. */
const COUNTRY_OF_LANGUAGE: Partial<Record<Locale, string>> = {
  id: 'ID',
  ja: 'JP',
  ko: 'KR',
  ms: 'MY',
  ru: 'RU',
  uk: 'UA',
  'zh-CN': 'CN',
  'zh-TW': 'TW',
};

/** The currency among those of the catalog for a visitor from a country ("" if unknown); else the first; "" if none. */
export function currencyFor(currencies: readonly string[], country: string, locale: Locale): string {
  const place = country === '' ? (COUNTRY_OF_LANGUAGE[locale] ?? '') : country;
  const own = EURO_COUNTRIES.has(place) ? 'EUR' : CURRENCY_OF_COUNTRY[place];
  return own !== undefined && currencies.includes(own) ? own : (currencies[0] ?? '');
}
