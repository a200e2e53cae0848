import { Outlet } from 'react-router';
import { isLocale } from '@bowerbird/contract';
import { pageNotFound } from '#app/api/page-not-found.ts';
import type { Route } from './+types/locale-gate';

/** The first segment of a page is a locale or it is nothing: `/blabla` and `/xx-XX/faq` do not exist. */
function check(segment: string | undefined, path: string): null {
  if (segment !== undefined && !isLocale(segment)) throw pageNotFound(path);
  return null;
}

export function loader({ params, url }: Route.LoaderArgs) {
  return check(params.locale, url.pathname);
}

// The browser knows the locales itself: moving between pages asks no server for this.
export async function clientLoader({ params, url }: Route.ClientLoaderArgs) {
  return check(params.locale, url.pathname);
}

export default function LocaleGate() {
  return <Outlet />;
}
