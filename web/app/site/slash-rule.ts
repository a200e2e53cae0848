import { redirect } from 'react-router';

/** Redirects permanently to a page's only address, with one leading slash and no trailing one. */
export function followSlashRule({
  pathname,
  search,
}: Pick<URL, 'pathname' | 'search'>): Response | undefined {
  if (!/^\/\/|.\/$/.test(pathname)) return undefined;
  // `//evil.example/` must not become an address of another site.
  const names = pathname.split('/').filter((name) => name !== '');
  return redirect(`/${names.join('/')}${search}`, 301);
}
