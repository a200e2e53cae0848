import { data, redirect } from 'react-router';
import { isApiFailure, membershipApi, renewalApi, splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { Route } from './+types/plans';
import { CurrencyLinks, RefusalText } from './offering-parts.tsx';
import { loadOffering, placeOrder, refusalOf } from './offering.ts';
import { PaymentFrame } from './payment-frame.tsx';
import { LimitList, PlanCard, TermList } from './product-card.tsx';
import { RenewalCard } from './renewal-card.tsx';
import { changeRenewal, pricedRenewal } from './renewal.ts';

const PATH = '/drive/payment';

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { products } = await services.call(membershipApi.offers, {});
  const [kind] = products;
  if (kind !== undefined && !products.includes('plan'))
    throw redirect(withPrefix(splitLocale(url.pathname).prefix, `${PATH}/${kind}`));
  const [offering, { renewals }] = await Promise.all([
    loadOffering(services, url, 'plan'),
    services.call(renewalApi.list, {}),
  ]);
  return {
    ...offering,
    renewals: renewals.map((one) => pricedRenewal(one, services.locale)),
    /** Renewal that the member is asked to confirm canceling. */
    canceling: url.searchParams.get('cancel') ?? '',
  };
}

export async function action(args: Route.ActionArgs) {
  const form = await args.request.clone().formData();
  if (!form.has('renewal')) return placeOrder(args);
  const { prefix } = splitLocale(args.url.pathname);
  try {
    const opened = await changeRenewal(args.context.get(pageServices), form, prefix);
    return opened ?? redirect(withPrefix(prefix, PATH));
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return data(refusalOf(error), { status: error.status });
  }
}

/** Plans side by side, with their prices. */
export default function Plans({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { products, currencies, currency, free, plans, renewals, canceling } = loaderData;
  const isRenewable = products.some(({ terms }) => terms.some(({ renews }) => renews));
  const opened = actionData && 'url' in actionData ? actionData : undefined;
  const refusal = actionData && 'id' in actionData ? actionData : undefined;
  return (
    <PaymentFrame title={t('payment.title')}>
      {renewals.map((renewal) => (
        <RenewalCard
          key={renewal.id}
          renewal={renewal}
          isCanceling={canceling === renewal.id}
          url={opened?.renewal === renewal.id ? opened.url : undefined}
        />
      ))}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-[44em] text-ink-2">{t(isRenewable ? 'payment.onceOrRenew' : 'payment.once')}</p>
        <CurrencyLinks path={PATH} currencies={currencies} chosen={currency} />
      </div>
      <RefusalText refusal={refusal} />
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
