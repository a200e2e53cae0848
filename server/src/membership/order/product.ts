import {
  isFields,
  localText,
  PRODUCT_KINDS,
  type Fields,
  type LocalText,
  type Prices,
  type ProductKind,
} from '@bowerbird/contract';
import { fieldsOf, listOf, sizeOf, wholeNumber } from '../document.ts';
import { toStripe } from './stripe-amount.ts';
import { planNamed, type Plan, type Plans } from '../plan/index.ts';

/** A length of time for which a product is sold, and its price. */
export interface ProductTerm {
  readonly id: string;
  /** 0 if the length is in days. */
  readonly months: number;
  /** 0 if the length is in months. */
  readonly days: number;
  /** Milliseconds. */
  readonly length: number;
  /** True if members can choose that it is paid again at each end. */
  readonly renews: boolean;
  readonly prices: Prices;
}

/** A plan, or additional storage or traffic, that members can buy. */
export type CatalogProduct = {
  readonly id: string;
  readonly name: LocalText;
  readonly description: LocalText | undefined;
  readonly terms: readonly ProductTerm[];
} & (
  | { readonly kind: 'plan'; readonly plan: Plan; readonly bytes: 0 }
  | { readonly kind: 'storage' | 'traffic'; readonly plan: undefined; readonly bytes: number }
);

/** Account for bank transfers; empty strings for what the administrator left out. */
export interface BankDetails {
  readonly recipient: string;
  readonly account: string;
  readonly bank: string;
  readonly bic: string;
  readonly note: LocalText;
}

/** Products of this installation, from the document `external_products`. */
export interface Catalog {
  readonly products: readonly CatalogProduct[];
  /** Every term of every product has a price in each of them; the first is the administrator's main one. */
  readonly currencies: readonly string[];
  /** Undefined if members can't pay by bank transfer. */
  readonly bank: BankDetails | undefined;
}

const DAY_MS = 24 * 3600 * 1000;
const MOST_MONTHS = 120;
/** Stripe charges at least every three years. */
const MOST_RENEWING_MONTHS = 36;
const MOST_DAYS = 3650;
const MOST_AMOUNT = 10 ** 12;
const MOST_TEXT = 200;
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Days of the longest sequence of calendar months, so that nobody gets less time than they paid for, whenever it
 * begins: 31 for a month, 62 for two, 366 for a year.
 */
export function daysOfMonths(months: number): number {
  const LEAP_YEAR = 2028;
  const spans = Array.from({ length: 48 }, (_, first) => {
    const begins = Date.UTC(LEAP_YEAR, first, 1);
    return (Date.UTC(LEAP_YEAR, first + months, 1) - begins) / DAY_MS;
  });
  return Math.max(...spans);
}

function nameOf(value: unknown, what: string): string {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw new Error(`${what} must be a short name in small letters and digits`);
}

export function pricesOf(value: unknown, what: string): Prices {
  if (!isFields(value) || Object.keys(value).length === 0)
    throw new Error(`${what} must be an object with one amount per currency, for example {"USD": 499}`);
  for (const currency of Object.keys(value))
    if (!CURRENCIES.has(currency)) throw new Error(`${what} has an unknown currency ${currency}`);
  return Object.fromEntries(
    Object.entries(value).map(([currency, amount]) => [
      currency,
      wholeNumber(amount, `${what}.${currency}, in the smallest unit such as cents,`, MOST_AMOUNT),
    ]),
  );
}

/** Reads whether a term renews; throws a sentence if it can't. */
function renewsOf(
  value: unknown,
  what: string,
  { kind, months }: { kind: ProductKind; months: number },
): boolean {
  if (value === undefined || value === false) return false;
  if (value !== true) throw new Error(`${what} must be true or false`);
  if (kind !== 'plan') throw new Error(`${what} is only possible for a plan: ${kind} is bought once`);
  if (months === 0 || months > MOST_RENEWING_MONTHS)
    throw new Error(`${what} is only possible for a term of 1 to ${MOST_RENEWING_MONTHS} months`);
  return true;
}

function termOf(value: unknown, what: string, kind: ProductKind): ProductTerm {
  const fields = fieldsOf(value, what, ['id', 'months', 'days', 'renews', 'price']);
  const id = nameOf(fields['id'], `${what}.id`);
  if ((fields['months'] === undefined) === (fields['days'] === undefined))
    throw new Error(`${what} must have either months or days`);
  const months =
    fields['months'] === undefined ? 0 : wholeNumber(fields['months'], `${what}.months`, MOST_MONTHS);
  const days = fields['days'] === undefined ? 0 : wholeNumber(fields['days'], `${what}.days`, MOST_DAYS);
  const length = (months > 0 ? daysOfMonths(months) : days) * DAY_MS;
  const renews = renewsOf(fields['renews'], `${what}.renews`, { kind, months });
  return { id, months, days, length, renews, prices: pricesOf(fields['price'], `${what}.price`) };
}

export function requireUnique(ids: readonly string[], what: string): void {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`${what} has ${twice} twice`);
}

const FIELDS = ['id', 'kind', 'name', 'description', 'terms'];

const isProductKind = (kind: unknown): kind is ProductKind => PRODUCT_KINDS.some((one) => one === kind);

function productOf(value: unknown, what: string, plans: Plans): CatalogProduct {
  if (!isFields(value)) throw new Error(`${what} must be an object`);
  const { kind } = value;
  if (!isProductKind(kind)) throw new Error(`${what}.kind must be plan, storage or traffic`);
  const fields = fieldsOf(value, what, [...FIELDS, kind === 'plan' ? 'plan' : 'bytes']);
  const terms = listOf(fields['terms'], `${what}.terms`).map((term, at) =>
    termOf(term, `${what}.terms[${at}]`, kind),
  );
  if (terms.length === 0) throw new Error(`${what}.terms must not be empty`);
  requireUnique(
    terms.map(({ id }) => id),
    `${what}.terms`,
  );
  const shared = {
    id: nameOf(fields['id'], `${what}.id`),
    description:
      fields['description'] === undefined
        ? undefined
        : localText(fields['description'], `${what}.description`),
    terms,
  };
  if (kind !== 'plan') {
    const bytes = sizeOf(fields['bytes'], `${what}.bytes`);
    return { ...shared, kind, name: localText(fields['name'], `${what}.name`), plan: undefined, bytes };
  }
  const plan = planNamed(fields['plan'], `${what}.plan`, plans);
  const name = fields['name'] === undefined ? plan.name : localText(fields['name'], `${what}.name`);
  return { ...shared, kind, name, plan, bytes: 0 };
}

function bankOf(value: unknown): BankDetails {
  const fields = fieldsOf(value, 'bank_transfer', ['recipient', 'account', 'bank', 'bic', 'note']);
  const text = (name: string, isNeeded: boolean): string => {
    const written = fields[name] ?? '';
    if (typeof written === 'string' && written.length <= MOST_TEXT && (written.trim() !== '' || !isNeeded))
      return written.trim();
    throw new Error(`bank_transfer.${name} must be a text of up to ${MOST_TEXT} characters`);
  };
  return {
    recipient: text('recipient', true),
    account: text('account', true),
    bank: text('bank', false),
    bic: text('bic', false),
    note: fields['note'] === undefined ? '' : localText(fields['note'], 'bank_transfer.note'),
  };
}

/** Throws a sentence about the first of these prices that Stripe can't charge. */
export function requireChargeable(prices: Prices, what: string): void {
  for (const [currency, amount] of Object.entries(prices))
    if (toStripe(currency, amount) === undefined)
      throw new Error(`${what}.${currency} can't be charged by Stripe, which needs a less precise amount`);
}

/** Throws unless these prices have the currencies of the catalog. */
export function requireCurrencies(prices: Prices, currencies: readonly string[], what: string): void {
  if (Object.keys(prices).toSorted().join() !== currencies.toSorted().join())
    throw new Error(`${what} must have the same currencies as the first price: ${currencies.join(', ')}`);
}

/** Throws a sentence about the first term that renews: without Stripe, nothing can be charged again. */
function requireNoRenewal(products: readonly CatalogProduct[]): void {
  for (const [at, { terms }] of products.entries())
    for (const [index, { renews }] of terms.entries())
      if (renews)
        throw new Error(
          `products[${at}].terms[${index}].renews needs STRIPE_SECRET_KEY: only Stripe can charge a member again`,
        );
}

/**
 * Reads what is for sale; `hasStripe` is true if members can pay with Stripe. Throws a sentence about an error in the
 * document.
 */
export function readCatalog(document: Fields, plans: Plans, hasStripe = false): Catalog {
  const products = listOf(document['products'] ?? [], 'products').map((product, at) =>
    productOf(product, `products[${at}]`, plans),
  );
  requireUnique(
    products.map(({ id }) => id),
    'products',
  );
  const currencies = Object.keys(products[0]?.terms[0]?.prices ?? {});
  for (const [at, { terms }] of products.entries())
    for (const [index, { prices }] of terms.entries()) {
      const what = `products[${at}].terms[${index}].price`;
      requireCurrencies(prices, currencies, what);
      if (hasStripe) requireChargeable(prices, what);
    }
  const bank = document['bank_transfer'] === undefined ? undefined : bankOf(document['bank_transfer']);
  if (products.length > 0 && !bank && !hasStripe)
    throw new Error(
      'products can only be paid for if there is a bank_transfer with recipient and account, or STRIPE_SECRET_KEY',
    );
  if (!hasStripe) requireNoRenewal(products);
  return { products, currencies, bank };
}
