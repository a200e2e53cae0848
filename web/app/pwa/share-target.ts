import { redirect } from 'react-router';
import { RECEIVED } from './places.ts';

/**
 * What other apps share is taken by the service worker, within the browser. Here it arrives only while there is none yet:
 * the page then says that nothing came along, and the next time it does.
 */
export function action(): never {
  throw redirect(RECEIVED, 303);
}

/** A share target is no page; whoever opens its address wants the drive. */
export function loader(): never {
  throw redirect('/drive/all');
}
