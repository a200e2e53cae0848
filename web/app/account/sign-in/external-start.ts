import { redirect } from 'react-router';
import { isApiFailure, oauthApi } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import type { Route } from './+types/external-start';
import { safePath } from './safe-path.ts';

/** Redirects to the other service, which redirects back to `/auth`. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<never> {
  const next = safePath(url.searchParams.get('continue'), '/drive/all');
  try {
    const { redirect_to: to } = await context
      .get(pageServices)
      .call(oauthApi.beginExternal, { body: { continue: next } });
    throw redirect(to);
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    throw redirect(`/auth?failed=${error.id}&state=${encodeURIComponent(next)}`);
  }
}
