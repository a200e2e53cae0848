import { leftToParent } from '#app/embedding/parent-frame.ts';

/** A press that opens the link here, and not in another window. */
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

/** Inside another page, leaves to that page what links of the drive ask for; before the router hears of it. */
export function leaveLinksToParent(): void {
  addEventListener('click', leaveLink, { capture: true });
}
