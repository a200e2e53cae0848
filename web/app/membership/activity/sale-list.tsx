import type { ProductKind } from '@bowerbird/contract';
import { useT, type T } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { PriceTag } from '../price-tag.tsx';

/** A product with its terms on sale; prices are formatted. */
export interface SaleProduct {
  readonly id: string;
  readonly kind: ProductKind;
  readonly name: string;
  readonly currency: string;
  readonly terms: readonly {
    readonly id: string;
    readonly months: number;
    readonly days: number;
    readonly price: string;
    readonly regular: string;
  }[];
}

const PAGES: Readonly<Record<ProductKind, string>> = {
  plan: '/drive/payment',
  storage: '/drive/payment/storage',
  traffic: '/drive/payment/traffic',
};

const termText = (t: T, { months, days }: { months: number; days: number }): string =>
  months > 0 ? t('activity.sale.months', { count: months }) : t('checkIn.days', { count: days });

/** Products on sale, with both prices, and links to where they are ordered. */
export function SaleList({ products }: { products: readonly SaleProduct[] }) {
  const t = useT();
  return (
    <section aria-labelledby="on-sale">
      <h2 id="on-sale" className="sr-only">
        {t('activity.sale.title')}
      </h2>
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(240px,1fr))]">
        {products.map((product) => (
          <li key={product.id}>
            <Card className="flex h-full flex-col">
              <h3 className="text-20 font-[650] wrap-anywhere">{product.name}</h3>
              {product.kind !== 'plan' && (
                <p className="mt-1 text-ink-2">{t(`activity.sale.${product.kind}`)}</p>
              )}
              <ul className="mt-4 mb-5 grid">
                {product.terms.map((term) => (
                  <li
                    key={term.id}
                    className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-3"
                  >
                    <span className="text-ink-2">{termText(t, term)}</span>
                    <PriceTag price={term.price} regular={term.regular} />
                  </li>
                ))}
              </ul>
              <div className="mt-auto">
                <Button variant="primary" href={`${PAGES[product.kind]}?currency=${product.currency}`}>
                  {t('activity.sale.order')}
                </Button>
              </div>
            </Card>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-13 text-ink-2">{t('activity.sale.note')}</p>
    </section>
  );
}
