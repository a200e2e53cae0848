import { splitLocale } from '@bowerbird/contract';
import { withPrefix } from '#app/i18n/locale.tsx';
import { safePath } from './safe-path.ts';

/** Default start page of members. */
const DRIVE_PATH = '/drive/all';

/**
 * Returns the page to continue to after signing in: the value of `continue` if it is a path of this site,
 * otherwise `start`.
 */
export function continuePath(url: URL, parameter = 'continue', start = DRIVE_PATH): string {
  return safePath(url.searchParams.get(parameter), withPrefix(splitLocale(url.pathname).prefix, start));
}
