import { redirect } from 'react-router';
import { matchLocale, splitLocale, type PageServices } from '@bowerbird/contract';
import { said } from '#app/browser/page-query.ts';
import { isUnprefixed, withPrefix } from '#app/i18n/locale.tsx';
import { OFFLINE_PAGE } from '#app/pwa/places.ts';

const YEAR = 365 * 86_400;

/** Resources that browsers and programs fetch on their own: requesting one doesn't select a language. */
const RESOURCES: ReadonlySet<string> = new Set([
  OFFLINE_PAGE,
  '/blog/feed.xml',
  '/manifest.webmanifest',
  '/robots.txt',
  '/sitemap.xml',
]);

/**
 * Applies the language that an address specifies, before anything is loaded. A `locale` parameter is stored
 * in the cookie and overrides the path segment, which is then changed; pages without a segment lose it, and
 * its language is stored. Only addresses opened by a person count as a choice.
 */
export function followLocaleRule(
  url: URL,
  services: Pick<PageServices, 'cookies' | 'setCookie'>,
): Response | undefined {
  const { prefix, path } = splitLocale(url.pathname);
  const asked = matchLocale(said(url.searchParams, 'locale'));
  const keep = (locale: string): void => {
    if (!RESOURCES.has(path) && services.cookies['pp_locale'] !== locale)
      services.setCookie('pp_locale', locale, { maxAge: YEAR, sameSite: 'lax' });
  };
  if (asked) keep(asked);
  if (!prefix) return undefined;

  const query = new URLSearchParams(url.search);
  query.delete('locale');
  const search = query.size === 0 ? '' : `?${query}`;
  // `/ru//evil.example` must not become an address of another site.
  const ownPath = path.replace(/^\/+/, '/');
  if (isUnprefixed(path)) {
    if (!asked) keep(prefix);
    return redirect(ownPath + search);
  }
  return asked && asked !== prefix ? redirect(withPrefix(asked, ownPath) + search) : undefined;
}
