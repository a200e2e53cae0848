import type { ReactNode } from 'react';
import { Form, redirect, useNavigation } from 'react-router';
import {
  formatPrice,
  isApiFailure,
  orderApi,
  splitLocale,
  type BankAccount,
  type MemberOrder,
} from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useLocalePath, withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import type { Route } from './+types/order';
import { orderPath, requireSales } from './offering.ts';
import { OrderBadge } from './order-badge.tsx';
import { PaymentFrame } from './payment-frame.tsx';
import { termText } from './product-card.tsx';

export async function loader({ context, url, params }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  await requireSales(services, url);
  try {
    const { order, bank_transfer: bank } = await services.call(orderApi.get, {
      params: { id: params.order },
    });
    return { order, bank, price: formatPrice(services.locale, order.currency, order.amount) };
  } catch (error) {
    if (isApiFailure(error) && error.status === 404) throw pageNotFound(url.pathname);
    throw error;
  }
}

/** Cancels the order. */
export async function action({ context, url, params }: Route.ActionArgs) {
  await context.get(pageServices).call(orderApi.cancel, { params: { id: params.order } });
  return redirect(withPrefix(splitLocale(url.pathname).prefix, orderPath(params.order)));
}

/** An order: what it is about, its state, and how to pay it. */
export default function OrderPage({ loaderData: { order, bank, price } }: Route.ComponentProps) {
  const t = useT();
  const reference = spaced(order.reference);
  return (
    <PaymentFrame title={t('payment.order.title', { reference })}>
      <div className="grid max-w-160 gap-4">
        <Card>
          <OrderBadge state={order.state} />
          {order.state !== 'open' && (
            <p className="mt-3">
              {order.state === 'paid' || order.state === 'refunded'
                ? t.rich(`payment.order.${order.state}`, {
                    date: (
                      <DateTime at={order.state === 'paid' ? order.paid_time : order.ended_time} as="date" />
                    ),
                  })
                : t(`payment.order.${order.state}`)}
            </p>
          )}
          <dl className="mt-4 grid gap-3">
            <Detail label={t('payment.order.product')}>{order.name}</Detail>
            <Detail label={t('payment.order.term')}>{termText(t, order)}</Detail>
            <Detail label={t('payment.order.price')}>{price}</Detail>
            <Detail label={t('payment.order.date')}>
              <DateTime at={order.created_time} />
            </Detail>
          </dl>
        </Card>
        {order.state === 'open' && <Transfer order={order} bank={bank} price={price} />}
      </div>
    </PaymentFrame>
  );
}

/** A reference in two groups, which are easier to copy by hand. */
const spaced = (reference: string): string => reference.replace(/^(.{4})(?=.)/, '$1 ');

function Transfer({ order, bank, price }: { order: MemberOrder; bank: BankAccount; price: string }) {
  const t = useT();
  const path = useLocalePath();
  const navigation = useNavigation();
  return (
    <Card title={t('payment.transfer.title')}>
      <p className="-mt-2 text-ink-2">
        {t.rich('payment.transfer.text', { date: <DateTime at={order.expire_time} as="date" /> })}
      </p>
      <dl className="mt-4 grid gap-3">
        <Detail label={t('payment.transfer.amount')}>{price}</Detail>
        <Detail label={t('payment.transfer.reference')}>
          <b className="font-semibold tracking-wide">{spaced(order.reference)}</b>
        </Detail>
        <Detail label={t('payment.transfer.recipient')}>{bank.recipient}</Detail>
        <Detail label={t('payment.transfer.account')}>{bank.account}</Detail>
        {bank.bank !== '' && <Detail label={t('payment.transfer.bank')}>{bank.bank}</Detail>}
        {bank.bic !== '' && <Detail label={t('payment.transfer.bic')}>{bank.bic}</Detail>}
      </dl>
      {bank.note !== '' && <p className="mt-4 wrap-anywhere whitespace-pre-line text-ink-2">{bank.note}</p>}
      <Form method="post" action={path(orderPath(order.id))} className="mt-5">
        <Button type="submit" busy={navigation.formMethod === 'POST'}>
          {t('payment.order.cancel')}
        </Button>
      </Form>
    </Card>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[12em_minmax(0,1fr)]">
      <dt className="text-ink-2">{label}</dt>
      <dd className="wrap-anywhere tabular-nums select-all">{children}</dd>
    </div>
  );
}
