import { useRouteLoaderData } from 'react-router';
import type { Offers } from '@bowerbird/contract';

/** Stands for an installation that gives nothing away. */
const NONE: Offers = {
  codes: false,
  free_days: 0,
  free_plan: '',
  invitations: null,
  check_in: null,
  tasks: null,
  monthly_traffic: false,
  products: [],
};

/**
 * Ways to get days of a plan or storage here. They are part of every page, on the server and in the browser. Loaders on the server
 * call `membershipApi.offers` instead.
 */
export function useOffers(): Offers {
  return useRouteLoaderData<{ offers: Offers }>('root')?.offers ?? NONE;
}
