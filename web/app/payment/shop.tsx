import { Ticket } from 'lucide-react';
import { redirect, useLocation, type ShouldRevalidateFunctionArgs } from 'react-router';
import { driveApi, membershipApi } from '@bowerbird/contract';
import { signInFirst } from '#app/api/members-only.ts';
import { useOffers } from '#app/api/offers.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { textOf } from '#app/browser/form-text.ts';
import { PlaceBar } from '#app/drive/top-bar.tsx';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { storageOf } from '#app/membership/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/shop';
import { NoSales } from './no-sales.tsx';
import { RefusalText } from './offering-parts.tsx';
import { loadProducts, placeOrder, type PricedProduct } from './offering.ts';
import { PlanComparison } from './plan-comparison.tsx';
import { OrderButton, termText } from './product-card.tsx';
import { ShopPacks } from './shop-packs.tsx';
import { LENGTH, SHOP, ShopChoices, ShopPlans } from './shop-plans.tsx';
import { ShopStatus } from './shop-status.tsx';
import { lengthKey, lengthsOf } from './term-price.ts';

/** Everything for sale, and the member's storage; where nothing is sold, their traffic as well. Visitors have neither. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { call, viewer } = services;
  const [offering, about] = await Promise.all([
    loadProducts(services, url),
    viewer ? call(driveApi.about, { query: {} }) : undefined,
  ]);
  const month =
    viewer && offering.products.length === 0
      ? await call(membershipApi.quantities, { query: { type: 'transfer' } })
      : undefined;
  return { ...offering, storage: about && storageOf(about), transfer: month?.transfer };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('site')]);
  return answer;
}

/** Another length is shown without asking the server. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const rest = ({ pathname, searchParams }: URL): string =>
    [pathname, ...[...searchParams].filter(([name]) => name !== LENGTH).map(String)].join('&');
  const isLength = currentUrl.href !== nextUrl.href && rest(currentUrl) === rest(nextUrl);
  return isLength ? false : defaultShouldRevalidate;
}

/** Orders what a form asks for. Visitors sign in or up first, and come back to their choice. */
export async function action(args: Route.ActionArgs) {
  const { request, context, url } = args;
  if (context.get(pageServices).viewer) return placeOrder(args);
  const form = await request.formData();
  const chosen = new URLSearchParams(
    ['product', 'term', 'currency', 'renews']
      .map((name) => [name, textOf(form, name).slice(0, 32)])
      .filter(([, value]) => value !== ''),
  );
  throw redirect(signInFirst({ pathname: url.pathname, search: `?${chosen}` }));
}

/** The plans and packs for sale, and what the member has: in the drive, inside apps, and for visitors. */
export default function Shop({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const viewer = useViewer();
  const { products, storage, transfer, held } = loaderData;
  const isSelling = products.length > 0;
  const title = isSelling ? t('payment.title') : t('apps.shop.title');
  return (
    <>
      <PageTitle title={title} noIndex />
      {viewer ? (
        <PlaceBar title={title} />
      ) : (
        <h1 className="bare:sr-only mt-8 text-center text-40 font-bold">{title}</h1>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        {isSelling ? (
          <Sales {...loaderData} refusal={actionData} isMember={viewer !== null} />
        ) : (
          storage && transfer && <NoSales held={held} storage={storage} transfer={transfer} />
        )}
      </div>
    </>
  );
}

function Sales({
  products,
  currencies,
  currency,
  free,
  held,
  storage,
  refusal,
  isMember,
}: Route.ComponentProps['loaderData'] & {
  refusal: Route.ComponentProps['actionData'];
  isMember: boolean;
}) {
  const t = useT();
  const { codes } = useOffers();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const ofKind = (kind: PricedProduct['kind']): PricedProduct[] =>
    products.filter((product) => product.kind === kind);
  const plans = ofKind('plan');
  const chosen = products.find(({ id }) => id === query.get('product'));
  const term = chosen?.terms.find(({ id }) => id === query.get('term'));
  const isRenewable = plans.some(({ terms }) => terms.some(({ renews }) => renews));
  const keys = lengthsOf(plans).map(lengthKey);
  const wanted = [query.get(LENGTH), term && lengthKey(term)];
  const length = wanted.find((key) => key && keys.includes(key)) ?? keys[0] ?? '';
  query.set('action', 'open_redeem_box');
  return (
    <div className="mx-auto grid max-w-260 gap-8 px-6 pt-6 pb-24 max-md:px-4 max-md:pt-4">
      <RefusalText refusal={refusal} />
      {isMember && chosen && term && (
        <section
          aria-label={t('shop.chosen')}
          className="flex flex-wrap items-center justify-between gap-4 rounded-card bg-blue-wash p-5 max-md:p-4"
        >
          <p className="min-w-0">
            <span className="block text-13 text-ink-2">{t('shop.chosen')}</span>
            <span className="block text-16 font-semibold wrap-anywhere tabular-nums">
              {chosen.name} · {t('shop.total', { price: term.price, term: termText(t, term) })}
            </span>
          </p>
          <OrderButton
            product={chosen}
            term={term}
            currency={currency}
            action={SHOP}
            isRenewing={term.renews && query.get('renews') === 'true'}
            variant="primary"
          />
        </section>
      )}
      {storage && <ShopStatus held={held} storage={storage} isRenewable={isRenewable} />}
      <div className="grid gap-6">
        {plans.length > 0 && <p className="text-center text-16 text-balance text-ink-2">{t('shop.lead')}</p>}
        <ShopChoices plans={plans} length={length} currencies={currencies} currency={currency} />
        {plans.length > 0 && (
          <ShopPlans
            plans={plans}
            free={free}
            held={isMember ? held : undefined}
            length={length}
            currency={currency}
          />
        )}
        <p className="text-center text-13 text-balance text-ink-2">
          {t(plans.length === 0 ? 'payment.onceOnly' : isRenewable ? 'payment.onceOrRenew' : 'payment.once')}
        </p>
      </div>
      <div className="grid items-start gap-8 md:grid-cols-[repeat(auto-fit,minmax(320px,1fr))]">
        <ShopPacks kind="storage" packs={ofKind('storage')} currency={currency} />
        <ShopPacks kind="traffic" packs={ofKind('traffic')} currency={currency} />
      </div>
      {plans.length > 0 && (
        <PlanComparison
          plans={[
            { id: 'free', name: t('payment.free'), limits: free, isCurrent: isMember && held.length === 0 },
            ...plans.flatMap(({ id, name, plan, limits }) =>
              limits ? { id, name, limits, isCurrent: held.some((one) => one.plan === plan) } : [],
            ),
          ]}
        />
      )}
      <div className="grid gap-4 border-t border-line pt-6">
        <p className="text-ink-2">{t('shop.end')}</p>
        <div className="flex flex-wrap gap-2">
          {codes && (
            <Button icon={<Ticket />} href={`${SHOP}?${query}`}>
              {t('redeem.title')}
            </Button>
          )}
          <Button href="/contact-us?topic=account">{t('shop.ask')}</Button>
        </div>
      </div>
    </div>
  );
}
