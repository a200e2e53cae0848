import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import type { PlanLimits } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT, type T } from '#app/i18n/t.ts';
import { PriceTag } from '#app/membership/index.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import type { PricedProduct, PricedTerm } from './offering.ts';

/** Length of a term in words: "3 months". */
export const termText = (t: T, { months, days }: { months: number; days: number }): string =>
  months > 0 ? t('payment.months', { count: months }) : t('payment.days', { count: days });

export function PlanCard({
  name,
  text,
  isCurrent,
  children,
}: {
  name: string;
  text: string;
  isCurrent: boolean;
  children: ReactNode;
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
      {text !== '' && <p className="mt-1 text-ink-2 wrap-anywhere">{text}</p>}
      {children}
    </li>
  );
}

const TRAFFIC = [
  ['payment.limit.offlineMonthly', 'offline_monthly'],
  ['payment.limit.downloadMonthly', 'download_monthly'],
  ['payment.limit.uploadMonthly', 'upload_monthly'],
] as const;

/** The limited kinds of traffic. Nothing is said about traffic where even the free plan has no limit. */
function trafficLines(
  t: T,
  { limits, free }: { limits: PlanLimits; free: PlanLimits },
  bytes: (size: string) => string,
): string[] {
  const lines = TRAFFIC.flatMap(([key, kind]) =>
    Number(limits[kind]) < 0 ? [] : [t(key, { size: bytes(limits[kind]) })],
  );
  const isFreeLimited = TRAFFIC.some(([, kind]) => Number(free[kind]) >= 0);
  return lines.length === 0 && isFreeLimited ? [t('payment.limit.anyTraffic')] : lines;
}

/** Limits besides storage, cloud downloads and traffic: those of the free plan, and what differs in others. */
function furtherLines(
  t: T,
  { limits, free }: { limits: PlanLimits; free: PlanLimits },
  bytes: (size: string) => string,
): string[] {
  const isLimited = (one: 'download_speed' | 'shares' | 'subscriptions'): boolean =>
    limits === free ? Number(free[one]) >= 0 : limits[one] !== free[one];
  const { download_speed: speed, shares, subscriptions } = limits;
  return [
    ...(isLimited('download_speed')
      ? [Number(speed) < 0 ? t('payment.limit.speedAny') : t('payment.limit.speed', { size: bytes(speed) })]
      : []),
    ...(isLimited('shares')
      ? [shares < 0 ? t('payment.limit.sharesAny') : t('payment.limit.shares', { count: shares })]
      : []),
    ...(isLimited('subscriptions')
      ? [
          subscriptions < 0
            ? t('payment.limit.subscriptionsAny')
            : t('payment.limit.subscriptions', { count: subscriptions }),
        ]
      : []),
  ];
}

/** List of what a plan allows, compared with the free plan. */
export function LimitList({ limits, free }: { limits: PlanLimits; free: PlanLimits }) {
  const t = useT();
  const format = useFormat();
  const { storage, tasks_daily: daily, tasks_running: running, task_size: size } = limits;
  const lines = [
    t('payment.limit.storage', { size: format.bytes(storage) }),
    daily < 0 ? t('payment.limit.tasksAny') : t('payment.limit.tasks', { count: daily }),
    t('payment.limit.running', { count: running }),
    t('payment.limit.taskSize', { size: format.bytes(size) }),
    ...trafficLines(t, { limits, free }, format.bytes),
    ...furtherLines(t, { limits, free }, format.bytes),
  ];
  return (
    <ul className="mt-4 grid gap-2">
      {lines.map((line) => (
        <li key={line} className="flex gap-2">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
          <span>{line}</span>
        </li>
      ))}
    </ul>
  );
}

/** When the price of a sale ends; nothing if the time is "". */
export function SaleEnd({ time }: { time: string }) {
  const t = useT();
  if (time === '') return null;
  return (
    <span className="block text-13 text-ink-2 tabular-nums">
      {t.rich('payment.saleUntil', { time: <DateTime at={time} /> })}
    </span>
  );
}

/** The terms of a product, each with its price and a button that orders it; works without scripts. */
export function TermList({
  product,
  currency,
  action,
}: {
  product: PricedProduct;
  currency: string;
  /** Path of the page, whose action creates the order. */
  action: string;
}) {
  const t = useT();
  return (
    <ul className="mt-auto grid pt-5">
      {product.terms.map((term) => (
        <li
          key={term.id}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line py-3 last:pb-0"
        >
          <p>
            <PriceTag price={term.price} regular={term.regular} />
            <span className="block text-13 text-ink-2">{termText(t, term)}</span>
            <SaleEnd time={term.saleUntil} />
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            {term.renews && (
              <OrderButton product={product} term={term} currency={currency} action={action} isRenewing />
            )}
            <OrderButton product={product} term={term} currency={currency} action={action} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Texts of the button by what it does: what it shows, and its name, which begins with that. */
const ORDER_TEXTS = {
  order: ['payment.order', 'payment.orderThis'],
  renew: ['payment.renew', 'payment.renewThis'],
  extend: ['shop.extend', 'shop.extendThis'],
} as const;

/** Button that orders a product for a term; works without scripts. */
export function OrderButton({
  product,
  term,
  currency,
  action,
  isRenewing = false,
  isExtending = false,
  variant,
  className,
}: {
  product: PricedProduct;
  term: PricedTerm;
  currency: string;
  /** Path of the page, whose action creates the order. */
  action: string;
  isRenewing?: boolean;
  /** True if the member has the plan. */
  isExtending?: boolean;
  variant?: 'primary' | 'line';
  className?: string;
}) {
  const t = useT();
  const path = useLocalePath();
  const { formData } = useNavigation();
  const [text, name] = ORDER_TEXTS[isRenewing ? 'renew' : isExtending ? 'extend' : 'order'];
  const isBusy =
    formData?.get('product') === product.id &&
    formData.get('term') === term.id &&
    formData.has('renews') === isRenewing;
  return (
    <Form method="post" action={path(action)}>
      <input type="hidden" name="product" value={product.id} />
      <input type="hidden" name="term" value={term.id} />
      <input type="hidden" name="currency" value={currency} />
      {isRenewing && <input type="hidden" name="renews" value="true" />}
      <Button
        type="submit"
        variant={variant ?? (isRenewing || !term.renews ? 'primary' : 'line')}
        busy={isBusy}
        className={className}
        aria-label={t(name, { product: product.name, term: termText(t, term), price: term.price })}
      >
        {t(text)}
      </Button>
    </Form>
  );
}
