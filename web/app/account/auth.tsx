import { redirect } from 'react-router';
import { pageServices } from '#app/api/page-services.ts';
import { continuePath } from './continue-path.ts';
import type { Route } from './+types/auth';

/** The end of every way to sign in: goes on where `state` says, on our own site only. */
export function loader({ context, url }: Route.LoaderArgs): never {
  const next = continuePath(url, 'state');
  throw redirect(
    context.get(pageServices).viewer ? next : `/drive/login?continue=${encodeURIComponent(next)}`,
  );
}
