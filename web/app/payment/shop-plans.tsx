import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PlanLimits } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { RegularPrice } from '#app/membership/index.ts';
import { Badge } from '#app/ui/badge.tsx';
import { cx } from '#app/ui/class-names.ts';
import { CurrencyLinks } from './offering-parts.tsx';
import type { PricedProduct, PricedTerm } from './offering.ts';
import { OrderButton, SaleEnd, termText } from './product-card.tsx';
import { lengthKey, lengthsOf } from './term-price.ts';

export const SHOP = '/inapp/shop';
/** Parameter of the address with the length that prices are shown for. */
export const LENGTH = 'length';

/** The parameters of the address, with another length. */
function withLength(search: string, key: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['product', 'term', 'renews']) query.delete(name);
  query.set(LENGTH, key);
  return `${SHOP}?${query}`;
}

/** The savings of a length: the same for all plans, or the greatest. */
function useSaving(): (plans: readonly PricedProduct[], key: string) => string | undefined {
  const t = useT();
  const format = useFormat();
  return (plans, key) => {
    const savings = plans.flatMap(({ terms }) =>
      terms.filter((term) => lengthKey(term) === key).map(({ saving }) => saving),
    );
    const most = Math.max(0, ...savings);
    if (most === 0) return undefined;
    const percent = format.percent(most / 100);
    return savings.every((one) => one === most)
      ? t('shop.save', { percent })
      : t('shop.saveUpTo', { percent });
  };
}

/** Choices above the plans: how long, and in which currency. */
export function ShopChoices({
  plans,
  length,
  currencies,
  currency,
}: {
  plans: readonly PricedProduct[];
  /** Key of the chosen length. */
  length: string;
  currencies: readonly string[];
  currency: string;
}) {
  const t = useT();
  const { search } = useLocation();
  const savingFor = useSaving();
  const lengths = lengthsOf(plans);
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
      {lengths.length > 1 && (
        <nav
          aria-label={t('shop.length')}
          className="flex flex-wrap justify-center gap-1 rounded-card border border-line bg-sunken p-1"
        >
          {lengths.map((one) => {
            const key = lengthKey(one);
            const isChosen = key === length;
            const saving = savingFor(plans, key);
            return (
              <LocaleLink
                key={key}
                to={withLength(search, key)}
                replace
                preventScrollReset
                aria-current={isChosen ? 'true' : undefined}
                className={cx(
                  'flex min-h-10 flex-wrap items-center justify-center gap-x-2 rounded-control px-4 py-1.5 font-medium',
                  isChosen ? 'bg-card text-ink ring-1 ring-line' : 'text-ink-2 hover:bg-hover',
                )}
              >
                {termText(t, one)}
                {saving !== undefined && <span className="text-13 font-semibold text-success">{saving}</span>}
              </LocaleLink>
            );
          })}
        </nav>
      )}
      <CurrencyLinks
        path={SHOP}
        query={new URLSearchParams(search)}
        currencies={currencies}
        chosen={currency}
      />
    </div>
  );
}

/** Plans side by side: what everyone has, and what is for sale, each for the chosen length. */
export function ShopPlans({
  plans,
  free,
  held,
  length,
  currency,
}: {
  plans: readonly PricedProduct[];
  free: PlanLimits;
  /** Plans of the member; undefined for a visitor. */
  held: readonly { plan: string; expire: string }[] | undefined;
  length: string;
  currency: string;
}) {
  const t = useT();
  const format = useFormat();
  const storage = (bytes: string): string => t('payment.limit.storage', { size: format.bytes(bytes) });
  return (
    <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(200px,320px))] sm:justify-center">
      <PlanTile
        name={t('payment.free')}
        text={t('payment.freeText')}
        storage={storage(free.storage)}
        isCurrent={held?.length === 0}
        until=""
      />
      {plans.map((product) => {
        const term = product.terms.find((one) => lengthKey(one) === length) ?? product.terms[0]!;
        const own = held?.find(({ plan }) => plan === product.plan);
        return (
          <PlanTile
            key={product.id}
            name={product.name}
            text={product.description}
            storage={storage(product.limits?.storage ?? '0')}
            isCurrent={own !== undefined}
            until={own?.expire ?? ''}
          >
            <TermPrice term={term} />
            <div className="mt-4 grid gap-2">
              {term.renews && (
                <OrderButton
                  product={product}
                  term={term}
                  currency={currency}
                  action={SHOP}
                  isRenewing
                  className="w-full"
                />
              )}
              <OrderButton
                product={product}
                term={term}
                currency={currency}
                action={SHOP}
                isExtending={own !== undefined}
                className="w-full"
              />
            </div>
          </PlanTile>
        );
      })}
    </ul>
  );
}

function PlanTile({
  name,
  text,
  storage,
  isCurrent,
  until,
  children,
}: {
  name: string;
  text: string;
  storage: string;
  isCurrent: boolean;
  /** End of the member's term; `""` if there is none. */
  until: string;
  children?: ReactNode;
}) {
  const t = useT();
  return (
    <li
      className={cx(
        'flex flex-col rounded-card border bg-card p-5',
        isCurrent ? 'border-blue ring-1 ring-blue' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-20 font-[650] wrap-anywhere">{name}</h2>
        {isCurrent && <Badge tone="blue">{t('payment.current')}</Badge>}
      </div>
      <p className="mt-1 text-16 font-medium tabular-nums">{storage}</p>
      {text !== '' && <p className="mt-1 text-ink-2 wrap-anywhere">{text}</p>}
      {until !== '' && (
        <p className="mt-1 text-13 text-ink-2 tabular-nums">
          {t.rich('apps.shop.until', { date: <DateTime at={until} as="date" /> })}
        </p>
      )}
      <div className="mt-auto">{children}</div>
    </li>
  );
}

/** Price of a term per month and in total, and what it saves. */
function TermPrice({ term }: { term: PricedTerm }) {
  const t = useT();
  const format = useFormat();
  const monthly = term.perMonth ?? (term.months === 1 ? term.price : undefined);
  const price = <strong className="text-28 font-[650] text-ink">{monthly ?? term.price}</strong>;
  return (
    <div className="pt-5">
      <p className="text-ink-2 tabular-nums">
        {monthly === undefined ? price : t.rich('shop.perMonth', { price })}
      </p>
      <p className="mt-1 flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-13 text-ink-2 tabular-nums">
        <span>
          {t('shop.total', { price: term.price, term: termText(t, term) })}
          <RegularPrice price={term.regular} />
        </span>
        {term.saving > 0 && (
          <Badge tone="success">{t('shop.save', { percent: format.percent(term.saving / 100) })}</Badge>
        )}
      </p>
      <SaleEnd time={term.saleUntil} />
    </div>
  );
}
