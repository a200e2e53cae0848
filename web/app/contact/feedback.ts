import { redirect } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { signInFirst } from '#app/api/members-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import type { Route } from './+types/feedback';

/** Feedback of members is a message like any other; who is not signed in does that first. */
export function loader({ context, url }: Route.LoaderArgs): never {
  if (!context.get(pageServices).viewer) throw redirect(signInFirst({ pathname: url.pathname, search: '' }));
  throw redirect(withPrefix(splitLocale(url.pathname).prefix, '/contact-us?topic=feedback'));
}

// A page that is never seen: with one, an address under a language that there is none of is missed like any other page.
export default function Feedback() {
  return null;
}
