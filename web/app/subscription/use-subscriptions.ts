import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Subscription } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { listQuery } from './subscription-cache.ts';

/** Current subscriptions of a member; `first` is the data that the server rendered the page with. */
export function useSubscriptions(first: Subscription[] | undefined): UseQueryResult<Subscription[]> {
  const call = useCall();
  return useQuery({ ...listQuery(call), ...(first ? { initialData: first } : {}) });
}
