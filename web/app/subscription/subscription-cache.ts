import { subscriptionApi, type ApiCall, type ReplyOf, type Subscription } from '@bowerbird/contract';

/** Key prefix of everything of this domain in the cache. */
export const SUBSCRIPTIONS_KEY = ['subscriptions'] as const;
export const LIST_KEY = [...SUBSCRIPTIONS_KEY, 'list'];
export const ITEMS_KEY = [...SUBSCRIPTIONS_KEY, 'items'];

export type ItemPage = ReplyOf<typeof subscriptionApi.items>;
export type Preview = ReplyOf<typeof subscriptionApi.preview>;

const ITEMS = 30;

export async function loadSubscriptions(call: ApiCall): Promise<Subscription[]> {
  return (await call(subscriptionApi.list, {})).subscriptions;
}

export function listQuery(call: ApiCall) {
  return {
    queryKey: LIST_KEY,
    queryFn: () => loadSubscriptions(call),
  };
}

export function itemsQuery(call: ApiCall, id: string) {
  return {
    queryKey: [...ITEMS_KEY, id],
    queryFn: ({ pageParam }: { pageParam: string }): Promise<ItemPage> =>
      call(subscriptionApi.items, { params: { id }, query: { limit: ITEMS, page_token: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page: ItemPage) => page.next_page_token || undefined,
  };
}

/** Fetches a feed once, however its filters change. */
export function previewQuery(call: ApiCall, url: string) {
  return {
    queryKey: [...SUBSCRIPTIONS_KEY, 'preview', url],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Preview> =>
      call(subscriptionApi.preview, { body: { url } }, { signal }),
    enabled: url !== '',
    staleTime: 120_000,
  };
}
