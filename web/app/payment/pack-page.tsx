import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { CurrencyLinks, RefusalText } from './offering-parts.tsx';
import type { PricedProduct, Refusal } from './offering.ts';
import { PaymentFrame } from './payment-frame.tsx';
import { PlanCard, TermList } from './product-card.tsx';

/** Page of additional storage or traffic: packs side by side, with their prices. `path` is its own address. */
export function PackPage({
  kind,
  path,
  offering: { products, currencies, currency },
  refusal,
}: {
  kind: 'storage' | 'traffic';
  path: string;
  offering: { products: readonly PricedProduct[]; currencies: readonly string[]; currency: string };
  refusal: Refusal | undefined;
}) {
  const t = useT();
  const format = useFormat();
  return (
    <PaymentFrame title={t(`payment.${kind}`)}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="max-w-[44em] text-ink-2">
          <p>{t('payment.onceOnly')}</p>
          <p>{t(`payment.about.${kind}`)}</p>
        </div>
        <CurrencyLinks path={path} currencies={currencies} chosen={currency} />
      </div>
      <RefusalText refusal={refusal} />
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]">
        {products.map((product) => (
          <PlanCard key={product.id} name={product.name} text={product.description} isCurrent={false}>
            <p className="mt-4 text-ink-2 tabular-nums">
              {t(`payment.limit.${kind}`, { size: format.bytes(product.bytes) })}
            </p>
            <TermList product={product} currency={currency} action={path} />
          </PlanCard>
        ))}
      </ul>
    </PaymentFrame>
  );
}
