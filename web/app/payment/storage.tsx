import { splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useFormat } from '#app/i18n/format.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/storage';
import { CurrencyLinks, RefusalText } from './offering-parts.tsx';
import { loadOffering, placeOrder } from './offering.ts';
import { PaymentFrame } from './payment-frame.tsx';
import { PlanCard, TermList } from './product-card.tsx';

const PATH = '/drive/payment/storage';

export function loader({ context, url }: Route.LoaderArgs) {
  return loadOffering(context.get(pageServices), url, 'storage');
}

export function action({ request, context, url }: Route.ActionArgs) {
  const { prefix } = splitLocale(url.pathname);
  return placeOrder(request, context.get(pageServices), (to) => withPrefix(prefix, to));
}

/** Additional storage and its prices. */
export default function StoragePacks({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const { products, currencies, currency } = loaderData;
  return (
    <PaymentFrame title={t('payment.storage')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[44em] text-ink-2">{t('payment.onceStorage')}</p>
        <CurrencyLinks path={PATH} currencies={currencies} chosen={currency} />
      </div>
      <RefusalText refusal={actionData} />
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]">
        {products.map((product) => (
          <PlanCard key={product.id} name={product.name} text={product.description} isCurrent={false}>
            <p className="mt-4 text-ink-2 tabular-nums">
              {t('payment.limit.storage', { size: format.bytes(product.bytes) })}
            </p>
            <TermList product={product} currency={currency} action={PATH} />
          </PlanCard>
        ))}
      </ul>
    </PaymentFrame>
  );
}
