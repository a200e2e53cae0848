import { CONTACT_LIMITS } from '@bowerbird/contract';

/**
 * Returns the link that an address prefills if it points to this site; links elsewhere must be typed by the
 * sender.
 */
export function ownLink(asked: string | null, origin: string): string {
  if (asked === null || asked.length > CONTACT_LIMITS.linkMax || !URL.canParse(asked)) return '';
  return new URL(asked).origin === origin ? asked : '';
}
