import { CONTACT_LIMITS } from '@bowerbird/contract';

/** The link that an address fills in, of a page of this site; what leads elsewhere has to be typed by whoever means it. */
export function ownLink(asked: string | null, origin: string): string {
  if (asked === null || asked.length > CONTACT_LIMITS.linkMax || !URL.canParse(asked)) return '';
  return new URL(asked).origin === origin ? asked : '';
}
