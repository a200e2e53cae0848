import {
  formatPrice,
  isApiFailure,
  membershipApi,
  orderApi,
  splitLocale,
  type ApiFailure,
  type ErrorId,
  type Locale,
  type PageServices,
  type Product,
  type ProductKind,
} from '@bowerbird/contract';
import { data, redirect, type ActionFunctionArgs } from 'react-router';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { chosenCurrency } from '#app/browser/currency-cookie.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { monthlyAmount, savingOf } from './term-price.ts';

/** Address of an order's page. */
export const orderPath = (id: string): string => `/drive/payment/orders/${encodeURIComponent(id)}`;

/** A term with its price as readers see it. */
export interface PricedTerm {
  readonly id: string;
  readonly months: number;
  readonly days: number;
  /** True if it can renew automatically. */
  readonly renews: boolean;
  readonly price: string;
  /** Price of each month, if the term has several. */
  readonly perMonth: string | undefined;
  /** Percent that are saved compared with the shortest term of whole months; 0 for none. */
  readonly saving: number;
  /** Price after the sale; `""` unless it is on sale. */
  readonly regular: string;
  /** When the sale ends, ISO; `""` unless it is on sale. */
  readonly saleUntil: string;
}
export type PricedProduct = Omit<Product, 'terms'> & { readonly terms: readonly PricedTerm[] };

/**
 * Prices are formatted on the server: browsers may know other formats, and the first render would differ from the
 * server's.
 */
export function priced(products: readonly Product[], currency: string, locale: Locale): PricedProduct[] {
  return products.map((product) => {
    const terms = product.terms.map(({ prices, regular_prices: regular, ...term }) => ({
      ...term,
      amount: prices[currency] ?? 0,
      regular: regular[currency],
    }));
    return {
      ...product,
      terms: terms.map(({ amount, regular, sale_end_time: saleUntil, ...term }) => ({
        ...term,
        price: formatPrice(locale, currency, amount),
        regular: regular === undefined ? '' : formatPrice(locale, currency, regular),
        saleUntil,
        perMonth:
          term.months > 1 ? formatPrice(locale, currency, monthlyAmount(amount, term.months)) : undefined,
        saving: savingOf({ amount, months: term.months }, terms),
      })),
    };
  });
}

/** Loads everything for sale, with prices in the chosen currency. */
export async function loadProducts({ call, locale, cookies }: PageServices, url: URL) {
  const { products, ...rest } = await call(orderApi.products, {});
  const currency = chosenCurrency(rest, url.searchParams, cookies);
  return { ...rest, products: priced(products, currency, locale), currency };
}

/** Loads the products of a kind; the page is missing if there are none. */
export async function loadOffering(services: PageServices, url: URL, kind: ProductKind) {
  const { products, ...rest } = await loadProducts(services, url);
  const ofKind = products.filter((product) => product.kind === kind);
  if (ofKind.length === 0) throw pageNotFound(url.pathname);
  return { ...rest, products: ofKind };
}

export interface Refusal {
  readonly id: ErrorId;
  readonly facts: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

export const refusalOf = ({ id, facts, text }: ApiFailure): Refusal => ({ id, facts, text });

/** Action of the pages with products: creates the order of a form and leads to its page; returns the reason if it is refused. */
export async function placeOrder({
  request,
  context,
  url,
}: Pick<ActionFunctionArgs, 'request' | 'context' | 'url'>) {
  const { call } = context.get(pageServices);
  const form = await request.formData();
  try {
    const { id } = await call(orderApi.create, {
      body: {
        product: textOf(form, 'product'),
        term: textOf(form, 'term'),
        currency: textOf(form, 'currency'),
        renews: textOf(form, 'renews') === 'true',
      },
    });
    return redirect(withPrefix(splitLocale(url.pathname).prefix, orderPath(id)));
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return data<Refusal>(refusalOf(error), { status: error.status });
  }
}

/** Throws the page for missing addresses unless something is for sale. */
export async function requireSales({ call }: PageServices, url: URL): Promise<void> {
  const { products } = await call(membershipApi.offers, {});
  if (products.length === 0) throw pageNotFound(url.pathname);
}
