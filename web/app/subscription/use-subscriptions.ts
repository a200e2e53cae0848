import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { Subscription } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useLive } from '#app/api/live/use-live.ts';
import { ITEMS_KEY, LIST_KEY, listQuery } from './subscription-cache.ts';

const EVERY_MS = 1_500;

/** Current subscriptions of a member; `first` is the data that the server rendered the page with. */
export function useSubscriptions(first: Subscription[] | undefined): UseQueryResult<Subscription[]> {
  const call = useCall();
  const client = useQueryClient();
  // Items show the state of their downloads.
  useLive(
    ['subscriptions', 'tasks'],
    () => {
      void client.invalidateQueries({ queryKey: LIST_KEY });
      void client.invalidateQueries({ queryKey: ITEMS_KEY });
    },
    EVERY_MS,
  );
  return useQuery({ ...listQuery(call), ...(first ? { initialData: first } : {}) });
}
