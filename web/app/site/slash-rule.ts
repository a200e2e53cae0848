import { redirect } from 'react-router';

/** A page has one address, with one slash before it and none behind: whoever comes with more is led on, for good. */
export function followSlashRule({
  pathname,
  search,
}: Pick<URL, 'pathname' | 'search'>): Response | undefined {
  if (!/^\/\/|.\/$/.test(pathname)) return undefined;
  // `//evil.example/` must not become an address of another site.
  const names = pathname.split('/').filter((name) => name !== '');
  return redirect(`/${names.join('/')}${search}`, 301);
}
