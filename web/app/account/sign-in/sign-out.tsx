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

/** Opening the address doesn't sign anyone out. */
export function loader({ url }: Route.LoaderArgs): never {
  throw redirect(home(url));
}

// Never rendered. Without a component, an address with an unknown locale wouldn't get the usual not-found
// page.
export default function SignOut() {
  return null;
}
