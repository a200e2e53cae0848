import { redirect } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { signInFirst } from '#app/api/members-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import type { Route } from './+types/feedback';

/**
 * Redirects members to the contact form, since feedback is a message like any other; visitors sign in first.
 */
export function loader({ context, url }: Route.LoaderArgs): never {
  if (!context.get(pageServices).viewer) throw redirect(signInFirst({ pathname: url.pathname, search: '' }));
  throw redirect(withPrefix(splitLocale(url.pathname).prefix, '/contact-us?topic=feedback'));
}

// Never rendered. Without a component, an address with an unknown locale wouldn't get the usual not-found
// page.
export default function Feedback() {
  return null;
}
