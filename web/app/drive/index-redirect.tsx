import { redirect } from 'react-router';
import { deviceOf } from '#app/browser/platform.ts';
import type { Route } from './+types/index-redirect';

/**
 * Redirects `/drive` to the files; on phones to what was used lately, which is the drive's home there. Actions in the
 * address belong to the files.
 */
export function loader({ request, url: { pathname, search, searchParams } }: Route.LoaderArgs) {
  const isHome = deviceOf(request.headers).isPhone && !searchParams.has('action');
  throw redirect(`${pathname.replace(/\/$/, '')}/${isHome ? 'recent' : 'all'}${search}`);
}

// Never rendered, but needed: with a page, an address under an unknown language is not found, like any other
// page.
export default function Drive() {
  return null;
}
