import { redirect, type MiddlewareFunction } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { said } from '#app/browser/page-query.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { isNoPage, pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

/** Returns the sign-in page's address, which leads back to the current page afterwards. */
export function signInFirst({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const login = withPrefix(splitLocale(pathname).prefix, '/drive/login');
  const bare = said(new URLSearchParams(search), 'hide_header') === '1' ? '&hide_header=1' : '';
  return `${login}?continue=${encodeURIComponent(pathname + search)}${bare}`;
}

/**
 * Restricts routes to members: visitors sign in and return. A missing page is reported as such, without
 * asking anyone to sign in first.
 */
export const membersOnly: MiddlewareFunction<Response> = ({ url, pattern, context }, next) => {
  if (context.get(pageServices).viewer) return next();
  if (isNoPage(pattern)) throw pageNotFound(url.pathname);
  throw redirect(signInFirst(url));
};
