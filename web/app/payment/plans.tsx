import { redirect } from 'react-router';
import { membershipApi, splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/plans';
import { CurrencyLinks, RefusalText } from './offering-parts.tsx';
import { loadOffering, placeOrder } from './offering.ts';
import { PaymentFrame } from './payment-frame.tsx';
import { LimitList, PlanCard, TermList } from './product-card.tsx';

const PATH = '/drive/payment';

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { products } = await services.call(membershipApi.offers, {});
  const [kind] = products;
  if (kind !== undefined && !products.includes('plan'))
    throw redirect(withPrefix(splitLocale(url.pathname).prefix, `${PATH}/${kind}`));
  return loadOffering(services, url, 'plan');
}

export function action(args: Route.ActionArgs) {
  return placeOrder(args);
}

/** Plans side by side, with their prices. */
export default function Plans({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { products, currencies, currency, free, plans } = loaderData;
  return (
    <PaymentFrame title={t('payment.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[44em] text-ink-2">{t('payment.once')}</p>
        <CurrencyLinks path={PATH} currencies={currencies} chosen={currency} />
      </div>
      <RefusalText refusal={actionData} />
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(220px,1fr))]">
        <PlanCard name={t('payment.free')} text={t('payment.freeText')} isCurrent={plans.length === 0}>
          <LimitList limits={free} free={free} />
        </PlanCard>
        {products.map((product) => (
          <PlanCard
            key={product.id}
            name={product.name}
            text={product.description}
            isCurrent={plans.includes(product.plan)}
          >
            {product.limits && <LimitList limits={product.limits} free={free} />}
            <TermList product={product} currency={currency} action={PATH} />
          </PlanCard>
        ))}
      </ul>
    </PaymentFrame>
  );
}
