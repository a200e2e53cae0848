import { splitLocale } from '@bowerbird/contract';
import { withPrefix } from '#app/i18n/locale.tsx';
import { safePath } from './safe-path.ts';

/** Where a member starts. */
const DRIVE_PATH = '/drive/all';

/** Where to go on after signing in: what `continue` asks for, if it is a path of ours, else `start`. */
export function continuePath(url: URL, parameter = 'continue', start = DRIVE_PATH): string {
  return safePath(url.searchParams.get(parameter), withPrefix(splitLocale(url.pathname).prefix, start));
}
