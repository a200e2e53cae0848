import type { Prices } from '@bowerbird/contract';
import { fieldsOf, listOf } from '../document.ts';
import {
  pricesOf,
  requireChargeable,
  requireCurrencies,
  requireUnique,
  type Catalog,
  type CatalogProduct,
  type ProductTerm,
} from './product.ts';

/** Lower prices of some terms, from `begins` (inclusive) to `ends` (exclusive), in milliseconds. */
export interface Sale {
  readonly begins: number;
  readonly ends: number;
  /** By {@link keyOf}. */
  readonly prices: ReadonlyMap<string, Prices>;
}

/** Prices of a term at a time. */
export interface CurrentPrices {
  readonly prices: Prices;
  /** Undefined unless these are the prices of a sale. */
  readonly sale: { readonly regular: Prices; readonly ends: number } | undefined;
}

/** Looks up what a term costs at a time; all code that shows a price or orders something uses it. */
export type PriceAt = (product: CatalogProduct, term: ProductTerm, now: number) => CurrentPrices;

const keyOf = (product: string, term: string): string => JSON.stringify([product, term]);

/** Reads the terms of a sale; throws a sentence about an error in the document. */
export function readSale(
  value: unknown,
  what: string,
  {
    catalog: { products, currencies },
    hasStripe,
    ...period
  }: { catalog: Catalog; hasStripe: boolean; begins: number; ends: number },
): Sale {
  const entries = listOf(value, what).map((entry, at): [string, Prices] => {
    const here = `${what}[${at}]`;
    const fields = fieldsOf(entry, here, ['product', 'term', 'price']);
    const product = products.find(({ id }) => id === fields['product']);
    if (!product)
      throw new Error(`${here}.product must be one of the products: ${idsOf(products) || 'there are none'}`);
    const term = product.terms.find(({ id }) => id === fields['term']);
    if (!term)
      throw new Error(`${here}.term must be one of the terms of ${product.id}: ${idsOf(product.terms)}`);
    const prices = pricesOf(fields['price'], `${here}.price`);
    requireCurrencies(prices, currencies, `${here}.price`);
    if (hasStripe) requireChargeable(prices, `${here}.price`);
    for (const [currency, amount] of Object.entries(prices))
      if (amount >= term.prices[currency]!)
        throw new Error(
          `${here}.price.${currency} must be less than the regular price, ${term.prices[currency]}`,
        );
    return [keyOf(product.id, term.id), prices];
  });
  if (entries.length === 0) throw new Error(`${what} must not be empty`);
  requireUnique(
    entries.map(([key]) => key),
    what,
  );
  return { ...period, prices: new Map(entries) };
}

const idsOf = (all: readonly { readonly id: string }[]): string => all.map(({ id }) => id).join(', ');

/** Prices with these sales; if several apply to a term, the first one counts. */
export function pricesWith(sales: readonly Sale[]): PriceAt {
  return (product, term, now) => {
    const key = keyOf(product.id, term.id);
    const sale = sales.find((one) => one.begins <= now && now < one.ends && one.prices.has(key));
    if (!sale) return { prices: term.prices, sale: undefined };
    return { prices: sale.prices.get(key)!, sale: { regular: term.prices, ends: sale.ends } };
  };
}
