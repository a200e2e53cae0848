import type { MiddlewareFunction } from 'react-router';
import { membershipApi, type Offers } from '@bowerbird/contract';
import { membersOnly } from './members-only.ts';
import { pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

export { useOffers } from './use-offers.ts';

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

/**
 * Restricts routes to members, like {@link membersOnly}, except the shop where something is sold. What an address asks
 * for is done for members only.
 */
export const membersOrSales: MiddlewareFunction<Response> = async (args, next) => {
  const { url, pattern, context } = args;
  const { call, viewer } = context.get(pageServices);
  const isShop = !viewer && pattern.endsWith('/inapp/shop') && !url.searchParams.has('action');
  if (isShop && (await call(membershipApi.offers, {})).products.length > 0) return next();
  return membersOnly(args, next);
};
