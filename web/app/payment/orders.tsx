import { formatPrice, orderApi, type MemberOrder } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Route } from './+types/orders';
import { orderPath, requireSales } from './offering.ts';
import { OrderBadge } from './order-badge.tsx';
import { OrderDocuments } from './order-documents.tsx';
import { PaymentFrame } from './payment-frame.tsx';
import { termText } from './product-card.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  await requireSales(services, url);
  const { orders } = await services.call(orderApi.list, {});
  return orders.map((order) => ({
    ...order,
    price: formatPrice(services.locale, order.currency, order.amount),
  }));
}

/** The member's orders, newest first. */
export default function Orders({ loaderData: orders }: Route.ComponentProps) {
  const t = useT();
  return (
    <PaymentFrame title={t('payment.orders')}>
      {orders.length === 0 ? (
        <EmptyState
          title={t('payment.none')}
          actions={
            <Button href="/drive/payment" variant="primary">
              {t('payment.title')}
            </Button>
          }
        />
      ) : (
        <ul className="overflow-hidden rounded-card border border-line bg-card">
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} />
          ))}
        </ul>
      )}
    </PaymentFrame>
  );
}

function OrderRow({ order }: { order: MemberOrder & { readonly price: string } }) {
  const t = useT();
  return (
    <li className="border-t border-line first:border-t-0">
      <LocaleLink
        to={orderPath(order.id)}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4 -outline-offset-2 hover:bg-hover max-md:px-4"
      >
        <span className="min-w-0 flex-1 basis-50">
          <span className="block font-medium wrap-anywhere">{order.name}</span>
          <span className="block text-13 text-ink-2">
            {termText(t, order)} · <DateTime at={order.created_time} as="date" />
          </span>
        </span>
        <span className="tabular-nums">{order.price}</span>
        <OrderBadge state={order.state} />
      </LocaleLink>
      <OrderDocuments order={order} className="-mt-1 flex flex-wrap gap-2 px-5 pb-4 max-md:px-4" />
    </li>
  );
}
