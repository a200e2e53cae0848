import { Link, NavLink, useLocation, type LinkProps, type NavLinkProps, type To } from 'react-router';
import { LOCALES, splitLocale, UNPREFIXED_PATHS, type Locale } from '@bowerbird/contract';
import { usePageFrame } from './page-frame.tsx';

export function useLocale(): Locale {
  return usePageFrame().locale;
}

/** Returns true if a path (without its locale) exists only without a locale. */
export function isUnprefixed(path: string): boolean {
  return (UNPREFIXED_PATHS as readonly string[]).includes(path.split(/[/?#]/, 2)[1] ?? '');
}

/** Adds the locale `prefix` to a path; leaves it unchanged without one. */
export function withPrefix(prefix: Locale | undefined, path: string): string {
  if (prefix === undefined || !path.startsWith('/') || isUnprefixed(path)) return path;
  return path === '/'
    ? `/${prefix}`
    : /^\/[?#]/.test(path)
      ? `/${prefix}${path.slice(1)}`
      : `/${prefix}${path}`;
}

/** Returns the address of the same page in another language. */
export function inLocale(locale: Locale, pathname: string, search: string): string {
  const { path } = splitLocale(pathname);
  const query = new URLSearchParams(search);
  query.delete('locale');
  if (isUnprefixed(path)) query.set('locale', locale);
  const rest = query.toString();
  return (isUnprefixed(path) ? path : withPrefix(locale, path)) + (rest === '' ? '' : `?${rest}`);
}

/**
 * Returns a function that adds the current page's locale to paths: `path('/drive/all')` is `/ru/drive/all`
 * under `/ru`.
 */
export function useLocalePath(): (path: string) => string {
  const { prefix } = splitLocale(useLocation().pathname);
  return (path) => withPrefix(prefix, path);
}

const prefixed = (to: To, path: (path: string) => string): To =>
  typeof to === 'string' ? path(to) : to.pathname === undefined ? to : { ...to, pathname: path(to.pathname) };

/** Link that keeps the locale of the current address. */
export function LocaleLink({ to, ...rest }: LinkProps) {
  return <Link to={prefixed(to, useLocalePath())} {...rest} />;
}

export function LocaleNavLink({ to, ...rest }: NavLinkProps) {
  return <NavLink to={prefixed(to, useLocalePath())} {...rest} />;
}

/**
 * Links to a public page's other languages, and to its canonical address, for search engines: the one that
 * was requested. Without a locale in its address, a page uses its reader's language and is not a copy of
 * another.
 */
export function AlternateLinks({ path }: { path: string }) {
  const { origin } = usePageFrame();
  const localPath = useLocalePath();
  return (
    <>
      <link rel="canonical" href={origin + localPath(path)} />
      {LOCALES.map((other) => (
        <link key={other} rel="alternate" hrefLang={other} href={origin + withPrefix(other, path)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={origin + path} />
    </>
  );
}
