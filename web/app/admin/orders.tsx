import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { adminMembershipApi, ORDER_STATES, type AdminOrder, type OrderState } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { SettingsTitle } from '#app/page/settings.tsx';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { Route } from './+types/orders';
import { OrderDialog } from './order-dialog.tsx';
import { contentText } from './order-text.ts';

const PAGE = 20;
const LONGEST_SEARCH = 320;

interface Filter {
  readonly state: OrderState | undefined;
  readonly search: string;
}

const filterIn = (query: URLSearchParams): Filter => ({
  state: ORDER_STATES.find((state) => state === query.get('state')),
  search: (query.get('search') ?? '').trim().slice(0, LONGEST_SEARCH),
});
const queryOf = ({ state, search }: Filter) => ({
  limit: PAGE,
  ...(state === undefined ? {} : { state }),
  ...(search === '' ? {} : { search }),
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const { sells } = await call(adminMembershipApi.plans, {});
  if (!sells) throw pageNotFound(url.pathname);
  const filter = filterIn(url.searchParams);
  return { filter, page: await call(adminMembershipApi.orders, { query: queryOf(filter) }) };
}

const TONES: Readonly<Record<OrderState, BadgeTone>> = {
  open: 'warning',
  paid: 'success',
  canceled: 'neutral',
  expired: 'neutral',
  refunded: 'neutral',
};

/** Orders of all members: finding them, confirming transfers, and refunds. */
export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const filter = filterIn(query);
  const [typed, setTyped] = useState(filter.search);
  const [shown, setShown] = useState<AdminOrder>();
  const isLoaded = loaderData.filter.state === filter.state && loaderData.filter.search === filter.search;
  const list = useInfiniteQuery({
    queryKey: ['admin', 'orders', filter.state, filter.search],
    queryFn: ({ pageParam }) =>
      call(adminMembershipApi.orders, { query: { ...queryOf(filter), page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_page_token || undefined,
    ...(isLoaded ? { initialData: { pages: [loaderData.page], pageParams: [''] } } : {}),
  });
  const orders = list.data?.pages.flatMap((one) => one.orders) ?? [];
  const go = ({ state, search }: Filter): void => {
    const next = new URLSearchParams();
    if (state !== undefined) next.set('state', state);
    if (search !== '') next.set('search', search);
    void navigate({ search: next.size > 0 ? `?${next.toString()}` : '' }, { replace: true });
  };

  return (
    <>
      <PageTitle title={t('admin.orders')} noIndex />
      <SettingsTitle text={t('admin.orders.text')}>{t('admin.orders')}</SettingsTitle>
      <form
        role="search"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          go({ ...filter, search: typed.trim() });
        }}
      >
        <TextField
          className="min-w-50 flex-1"
          label={t('admin.orders.search')}
          type="search"
          value={typed}
          maxLength={LONGEST_SEARCH}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" size="l">
          {t('admin.orders.find')}
        </Button>
        <Select
          className="min-w-45 max-sm:flex-1"
          label={t('admin.orders.state')}
          value={filter.state ?? ''}
          onChange={(state) => go({ ...filter, state: state === '' ? undefined : state })}
          options={[
            { value: '', label: t('admin.tab.all') },
            ...ORDER_STATES.map((value) => ({ value, label: t(`payment.state.${value}`) })),
          ]}
        />
      </form>
      {orders.length === 0 && !list.isPending ? (
        <EmptyState title={t('admin.orders.none')} />
      ) : (
        <ul className="mt-4 overflow-hidden rounded-card border border-line bg-card">
          {orders.map((order) => (
            <li key={order.id} className="border-t border-line first:border-t-0">
              <button
                type="button"
                onClick={() => setShown(order)}
                className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-left -outline-offset-2 hover:bg-hover max-md:px-4"
              >
                <span className="min-w-0 flex-1 basis-50">
                  <span className="block font-medium [overflow-wrap:anywhere]">{order.buyer}</span>
                  <span className="num block text-13 text-ink-2 [overflow-wrap:anywhere]">
                    <Dotted
                      facts={[
                        contentText(t, order),
                        order.reference,
                        <DateTime key="date" at={order.created_time} as="date" />,
                      ]}
                    />
                  </span>
                </span>
                <span className="tabular-nums">{order.price}</span>
                <Badge tone={TONES[order.state]}>{t(`payment.state.${order.state}`)}</Badge>
              </button>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('admin.more')}
        </Button>
      )}
      {shown && <OrderDialog order={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
