import { Outlet } from 'react-router';
import { isLocale } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import type { Route } from './+types/locale-gate';

/** Throws the not-found response if the first segment is no locale: `/blabla` and `/xx-XX/faq` don't exist. */
function check(segment: string | undefined, path: string): void {
  if (segment !== undefined && !isLocale(segment)) throw pageNotFound(path);
}

// Runs before any other check: for a missing page, the visitor and the parameters don't matter.
export const middleware: Route.MiddlewareFunction[] = [
  ({ params, url }, next) => {
    check(params.locale, url.pathname);
    return next();
  },
];

// The browser knows the locales itself: navigating between pages needs no server request for this.
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  ({ params, url }, next) => {
    check(params.locale, url.pathname);
    return next();
  },
];

export default function LocaleGate() {
  return <Outlet />;
}
