import { redirect } from 'react-router';
import { RECEIVED } from './places.ts';

/**
 * Fallback for shared content, which the service worker normally receives within the browser. A request
 * arrives here only before the worker is installed: the page then reports that nothing was received, and the
 * next attempt works.
 */
export function action(): never {
  throw redirect(RECEIVED, 303);
}

/** Redirects to the drive, since a share target is no page. */
export function loader(): never {
  throw redirect('/drive/all');
}
