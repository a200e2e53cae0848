import { Link, NavLink, useLocation, type LinkProps, type NavLinkProps, type To } from 'react-router';
import { LOCALES, splitLocale, UNPREFIXED_PATHS, type Locale } from '@bowerbird/contract';
import { usePageFrame } from './page-frame.tsx';

export function useLocale(): Locale {
  return usePageFrame().locale;
}

/** Whether a path (without its locale) exists without a locale only. */
export function isUnprefixed(path: string): boolean {
  return (UNPREFIXED_PATHS as readonly string[]).includes(path.split(/[/?#]/, 2)[1] ?? '');
}

/** The path in the language of `prefix`; as it is where there is none. */
export function withPrefix(prefix: Locale | undefined, path: string): string {
  if (prefix === undefined || !path.startsWith('/') || isUnprefixed(path)) return path;
  return path === '/'
    ? `/${prefix}`
    : /^\/[?#]/.test(path)
      ? `/${prefix}${path.slice(1)}`
      : `/${prefix}${path}`;
}

/** The same page in another language. */
export function inLocale(locale: Locale, pathname: string, search: string): string {
  const { path } = splitLocale(pathname);
  const query = new URLSearchParams(search);
  query.delete('locale');
  if (isUnprefixed(path)) query.set('locale', locale);
  const rest = query.toString();
  return (isUnprefixed(path) ? path : withPrefix(locale, path)) + (rest === '' ? '' : `?${rest}`);
}

/** Makes addresses keep the locale segment of the page they are on: `path('/drive/all')` is `/ru/drive/all` under `/ru`. */
export function useLocalePath(): (path: string) => string {
  const { prefix } = splitLocale(useLocation().pathname);
  return (path) => withPrefix(prefix, path);
}

const prefixed = (to: To, path: (path: string) => string): To =>
  typeof to === 'string' ? path(to) : to.pathname === undefined ? to : { ...to, pathname: path(to.pathname) };

/** A Link that stays in the language of the address. */
export function LocaleLink({ to, ...rest }: LinkProps) {
  return <Link to={prefixed(to, useLocalePath())} {...rest} />;
}

export function LocaleNavLink({ to, ...rest }: NavLinkProps) {
  return <NavLink to={prefixed(to, useLocalePath())} {...rest} />;
}

/**
 * Links that tell search engines of a public page in the other languages, and which address is its own: the one in which
 * it was asked for. Without a language in it a page speaks its reader's, and is no copy of another.
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
