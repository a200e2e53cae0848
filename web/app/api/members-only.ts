import { redirect, type MiddlewareFunction } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { said } from '#app/browser/page-query.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { isNoPage, pageNotFound } from './page-not-found.ts';
import { pageServices } from './page-services.ts';

/** The sign-in page, from which a visitor comes back to this one. */
export function signInFirst({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const login = withPrefix(splitLocale(pathname).prefix, '/drive/login');
  const bare = said(new URLSearchParams(search), 'hide_header') === '1' ? '&hide_header=1' : '';
  return `${login}?continue=${encodeURIComponent(pathname + search)}${bare}`;
}

/** What is a member's own: others sign in and come back. Where there is no page, nobody has to sign in to learn that. */
export const membersOnly: MiddlewareFunction<Response> = ({ url, pattern, context }, next) => {
  if (context.get(pageServices).viewer) return next();
  if (isNoPage(pattern)) throw pageNotFound(url.pathname);
  throw redirect(signInFirst(url));
};
