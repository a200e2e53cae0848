import { useEffect, useState, type ReactNode } from 'react';
import { data, Form, redirect, useNavigation, useRevalidator } from 'react-router';
import {
  formatPrice,
  isApiFailure,
  orderApi,
  splitLocale,
  type BankAccount,
  type MemberOrder,
} from '@bowerbird/contract';
import { useLive } from '#app/api/live/use-live.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useLocalePath, withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { textOf } from '#app/browser/form-text.ts';
import { Card } from '#app/ui/card.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import type { Route } from './+types/order';
import { RefusalText } from './offering-parts.tsx';
import { orderPath, refusalOf, requireSales } from './offering.ts';
import { OrderBadge } from './order-badge.tsx';
import { OrderDocuments } from './order-documents.tsx';
import { PaymentFrame } from './payment-frame.tsx';
import { nextCharge } from './renewal.ts';
import { termText } from './product-card.tsx';

export async function loader({ context, url, params }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  await requireSales(services, url);
  try {
    const { order, bank_transfer, online, pending } = await services.call(orderApi.get, {
      params: { id: params.order },
    });
    return {
      order,
      bank: bank_transfer,
      online,
      // The payment service leads back here before it has told the server.
      isProcessing: pending || (online && url.searchParams.get('checkout') === 'done'),
      price: formatPrice(services.locale, order.currency, order.amount),
      nextCharge: nextCharge(Date.now(), order.months),
    };
  } catch (error) {
    if (isApiFailure(error) && error.status === 404) throw pageNotFound(url.pathname);
    throw error;
  }
}

/** Returns the address of a page on which the order can be paid, or cancels the order. */
export async function action({ request, context, url, params }: Route.ActionArgs) {
  const { call } = context.get(pageServices);
  const { prefix } = splitLocale(url.pathname);
  const form = await request.formData();
  const id = params.order;
  if (textOf(form, 'intent') !== 'pay') {
    await call(orderApi.cancel, { params: { id } });
    return redirect(withPrefix(prefix, orderPath(id)));
  }
  try {
    const body = prefix === undefined ? {} : { prefix };
    return { url: (await call(orderApi.pay, { params: { id }, body })).url };
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return data({ refusal: refusalOf(error) }, { status: error.status });
  }
}

/** An order: what it is about, its state, and how to pay it. */
export default function OrderPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { order, bank, online, isProcessing, price, nextCharge } = loaderData;
  const { revalidate } = useRevalidator();
  const isOpen = order.state === 'open';
  useLive(['orders'], () => void revalidate());
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
          <OrderDocuments order={order} className="mt-5 flex flex-wrap gap-2" />
          {order.renews && order.state === 'paid' && (
            <div className="mt-4">
              <Button href="/drive/payment">{t('payment.renewal.manage')}</Button>
            </div>
          )}
        </Card>
        {isOpen && isProcessing && <Processing />}
        {isOpen && !isProcessing && (
          <>
            {online && <Online order={order} price={price} nextCharge={nextCharge} answer={actionData} />}
            {bank && <Transfer order={order} bank={bank} price={price} isOnline={online} />}
            <Cancel order={order} />
          </>
        )}
      </div>
    </PaymentFrame>
  );
}

/** A reference in two groups, which are easier to copy by hand. */
const spaced = (reference: string): string => reference.replace(/^(.{4})(?=.)/, '$1 ');

/** After this time, the page says that some payments take days. */
const SLOW_MS = 60_000;

/** Until the payment service has reported the payment. */
function Processing() {
  const t = useT();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Card>
      <div role="status" className="flex gap-3">
        <Spinner className="mt-0.5" />
        <div>
          <p className="font-semibold">{t('payment.processing.title')}</p>
          <p className="mt-1 text-ink-2">
            {t(isSlow ? 'payment.processing.slow' : 'payment.processing.text')}
          </p>
        </div>
      </div>
    </Card>
  );
}

/**
 * Leads to the page of the payment service. Not by a redirect, which browsers refuse as the answer to a form of a page
 * that may only send forms to us; without scripts it is a link.
 */
function Online({
  order,
  price,
  nextCharge,
  answer,
}: {
  order: MemberOrder;
  price: string;
  /** When a plan that renews is charged again if it is paid now. */
  nextCharge: string;
  answer: Route.ComponentProps['actionData'];
}) {
  const t = useT();
  const path = useLocalePath();
  const { formData } = useNavigation();
  const url = answer && 'url' in answer ? answer.url : undefined;
  useEffect(() => {
    if (url !== undefined) globalThis.location.assign(url);
  }, [url]);
  return (
    <Card title={t(order.renews ? 'payment.renewal.title' : 'payment.online.title')}>
      {order.renews && (
        <p className="-mt-2 mb-5">
          {t.rich('payment.renewal.about', {
            price,
            term: termText(t, order),
            date: <DateTime at={nextCharge} as="date" />,
          })}
        </p>
      )}
      <p className="-mt-2 mb-5 text-ink-2">{t('payment.online.text')}</p>
      {answer && 'refusal' in answer && (
        <div className="mb-4">
          <RefusalText refusal={answer.refusal} />
        </div>
      )}
      {url === undefined ? (
        <Form method="post" action={path(orderPath(order.id))}>
          <input type="hidden" name="intent" value="pay" />
          <Button type="submit" variant="primary" busy={formData?.get('intent') === 'pay'}>
            {t(order.renews ? 'payment.renewal.pay' : 'payment.online.pay', { price })}
          </Button>
        </Form>
      ) : (
        <Button href={url} variant="primary">
          {t('payment.online.continue')}
        </Button>
      )}
    </Card>
  );
}

function Cancel({ order }: { order: MemberOrder }) {
  const t = useT();
  const path = useLocalePath();
  const { formData } = useNavigation();
  return (
    <Form method="post" action={path(orderPath(order.id))}>
      <input type="hidden" name="intent" value="cancel" />
      <Button type="submit" busy={formData?.get('intent') === 'cancel'}>
        {t('payment.order.cancel')}
      </Button>
    </Form>
  );
}

function Transfer({
  order,
  bank,
  price,
  isOnline,
}: {
  order: MemberOrder;
  bank: BankAccount;
  price: string;
  isOnline: boolean;
}) {
  const t = useT();
  return (
    <Card title={t(isOnline ? 'payment.transfer.or' : 'payment.transfer.title')}>
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
