import { data } from 'react-router';

/** What loaders throw for an address that has no page. */
export function pageNotFound(path: string): ReturnType<typeof data> {
  return data(`Page Not Found: ${path}`, { status: 404, statusText: 'Not Found' });
}
