import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { PriceTag } from '#app/membership/index.ts';
import type { PricedProduct } from './offering.ts';
import { OrderButton, SaleEnd, termText } from './product-card.tsx';
import { SHOP } from './shop-plans.tsx';

/** Additional storage or traffic: a line for each pack and term. */
export function ShopPacks({
  kind,
  packs,
  currency,
}: {
  kind: 'storage' | 'traffic';
  packs: readonly PricedProduct[];
  currency: string;
}) {
  const t = useT();
  const format = useFormat();
  if (packs.length === 0) return null;
  return (
    <section aria-labelledby={`packs-${kind}`} className="min-w-0">
      <h2 id={`packs-${kind}`} className="text-20 font-[650]">
        {t(`payment.${kind}`)}
      </h2>
      <p className="mt-1 mb-4 text-ink-2">{t(`payment.about.${kind}`)}</p>
      <ul className="rounded-card border border-line bg-card px-5 max-md:px-4">
        {packs.flatMap((product) =>
          product.terms.map((term) => (
            <li
              key={`${product.id} ${term.id}`}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 last:border-b-0"
            >
              <p className="min-w-0">
                <span className="block font-semibold wrap-anywhere">{product.name}</span>
                <span className="block text-13 text-ink-2 tabular-nums">
                  {t(`payment.limit.${kind}`, { size: format.bytes(product.bytes) })}
                </span>
              </p>
              <div className="flex grow items-center justify-end gap-4">
                <p className="text-end tabular-nums">
                  <PriceTag price={term.price} regular={term.regular} />
                  <span className="block text-13 text-ink-2">{termText(t, term)}</span>
                  <SaleEnd time={term.saleUntil} />
                </p>
                <OrderButton product={product} term={term} currency={currency} action={SHOP} variant="line" />
              </div>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}
