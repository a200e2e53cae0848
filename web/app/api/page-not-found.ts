import { data } from 'react-router';

/** What loaders throw for an address that has no page. */
export function pageNotFound(path: string): ReturnType<typeof data> {
  return data(`Page Not Found: ${path}`, { status: 404, statusText: 'Not Found' });
}

const NO_PAGES: ReadonlySet<string> = new Set(['*', ':locale?/drive/*', ':locale?/drive/account/*']);

/** Whether the pattern of a route is that of all addresses in a part of the site that have no page. */
export const isNoPage = (pattern: string): boolean => NO_PAGES.has(pattern.replace(/^\//, ''));
