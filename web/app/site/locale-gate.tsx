import { Outlet } from 'react-router';
import { isLocale } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import type { Route } from './+types/locale-gate';

/** The first segment of a page is a locale or it is nothing: `/blabla` and `/xx-XX/faq` do not exist. */
function check(segment: string | undefined, path: string): void {
  if (segment !== undefined && !isLocale(segment)) throw pageNotFound(path);
}

// Before anything else is asked: where there is no page it is no matter who comes, or with what.
export const middleware: Route.MiddlewareFunction[] = [
  ({ params, url }, next) => {
    check(params.locale, url.pathname);
    return next();
  },
];

// The browser knows the locales itself: moving between pages asks no server for this.
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ params, url }, next) => {
    check(params.locale, url.pathname);
    return next();
  },
];

export default function LocaleGate() {
  return <Outlet />;
}
