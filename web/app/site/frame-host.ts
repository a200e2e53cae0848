import { leftToParent } from '#app/embedding/parent-frame.ts';

/** Returns true if a click opens the link in this window, and not in another. */
const staysHere = (
  { button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent,
  { target }: HTMLAnchorElement,
) => button === 0 && !(metaKey || ctrlKey || shiftKey || altKey) && (target === '' || target === '_self');

function leaveLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link?.origin !== location.origin || !staysHere(event, link)) return;
  if (!leftToParent(new URL(link.href))) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Inside an embedding page, hands clicks on the drive's links over to that page, before the router handles
 * them.
 */
export function leaveLinksToParent(): void {
  addEventListener('click', leaveLink, { capture: true });
}
