import { redirect } from 'react-router';
import { accountApi } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { splitLocale } from '@bowerbird/contract';
import { withPrefix } from '#app/i18n/locale.tsx';
import type { Route } from './+types/sign-out';

const home = (url: URL): string => withPrefix(splitLocale(url.pathname).prefix, '/');

export async function action({ context, url }: Route.ActionArgs) {
  await context.get(pageServices).call(accountApi.signOut, { body: {} });
  throw redirect(home(url));
}

/** Whoever only looks at the address is not signed out by it. */
export function loader({ url }: Route.LoaderArgs): never {
  throw redirect(home(url));
}

// A page that is never seen: with one, an address under a language that there is none of is missed like any other page.
export default function SignOut() {
  return null;
}
