import { redirect } from 'react-router';
import type { Route } from './+types/index-redirect';

/** `/drive` alone is the files. */
export function loader({ url: { pathname, search } }: Route.LoaderArgs) {
  throw redirect(`${pathname.replace(/\/$/, '')}/all${search}`);
}

// A page that is never seen: with one, an address under a language that there is none of is missed like any other page.
export default function Drive() {
  return null;
}
