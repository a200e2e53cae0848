import { redirect } from 'react-router';
import type { Route } from './+types/index-redirect';

/** Redirects `/drive` to the files. */
export function loader({ url: { pathname, search } }: Route.LoaderArgs) {
  throw redirect(`${pathname.replace(/\/$/, '')}/all${search}`);
}

// Never rendered, but needed: with a page, an address under an unknown language is not found, like any other
// page.
export default function Drive() {
  return null;
}
