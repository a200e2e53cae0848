import { redirect } from 'react-router';
import type { Route } from './+types/index-redirect';

/** `/drive` alone is the files. */
export function loader({ url: { pathname, search } }: Route.LoaderArgs) {
  throw redirect(`${pathname.replace(/\/$/, '')}/all${search}`);
}
