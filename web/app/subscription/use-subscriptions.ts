import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Subscription } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { listQuery } from './subscription-cache.ts';

/** The subscriptions of a member as they stand; `first` is what the server knew when it drew the page. */
export function useSubscriptions(first: Subscription[] | undefined): UseQueryResult<Subscription[]> {
  const call = useCall();
  return useQuery({ ...listQuery(call), ...(first ? { initialData: first } : {}) });
}
