import { useRouteLoaderData, type MiddlewareFunction } from 'react-router';
import { membershipApi, type Offers } from '@bowerbird/contract';
import { pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

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

/** Pages that exist only if something is offered, by the end of their route's pattern. */
const PAGES: Readonly<Record<string, (offers: Offers) => boolean>> = {
  '/referral': ({ invitations }) => invitations !== null,
  '/drive/payment': ({ products }) => products.length > 0,
  '/drive/payment/storage': ({ products }) => products.includes('storage'),
  '/drive/payment/traffic': ({ products }) => products.includes('traffic'),
  '/drive/payment/orders': ({ products }) => products.length > 0,
  '/drive/payment/orders/:order': ({ products }) => products.length > 0,
};

/** Reports pages about something that is not offered as missing, before anyone is asked to sign in. */
export const offeredOnly: MiddlewareFunction<Response> = async ({ url, pattern, context }, next) => {
  const page = Object.keys(PAGES).find((end) => `/${pattern}`.endsWith(end));
  if (page !== undefined && !PAGES[page]!(await context.get(pageServices).call(membershipApi.offers, {})))
    throw pageNotFound(url.pathname);
  return next();
};
