import { data } from 'react-router';

/** Creates the response that loaders throw for an address without a page. */
export function pageNotFound(path: string): ReturnType<typeof data> {
  return data(`Page Not Found: ${path}`, { status: 404, statusText: 'Not Found' });
}

const NO_PAGES: ReadonlySet<string> = new Set(['*', ':locale?/drive/*', ':locale?/drive/account/*']);

/** Returns true if a route pattern is the catch-all for addresses without a page in some part of the site. */
export const isNoPage = (pattern: string): boolean => NO_PAGES.has(pattern.replace(/^\//, ''));
