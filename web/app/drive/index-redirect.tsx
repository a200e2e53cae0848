import { redirect } from 'react-router';
import type { Route } from './+types/index-redirect';

/** `/drive` alone is the files. */
export function loader({ request }: Route.LoaderArgs) {
  const { pathname, search } = new URL(request.url);
  throw redirect(`${pathname.replace(/\/$/, '')}/all${search}`);
}
