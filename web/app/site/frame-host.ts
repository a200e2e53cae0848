import { useEffect } from 'react';
import { leftToParent } from '#app/api/parent-frame.ts';

/** A press that opens the link here, and not in another window. */
const staysHere = (
  { button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent,
  { target }: HTMLAnchorElement,
) => button === 0 && !(metaKey || ctrlKey || shiftKey || altKey) && (target === '' || target === '_self');

/** Inside another page, leaves to that page what links of the drive ask for. */
export function FrameHost(): null {
  useEffect(() => {
    if (window.parent === window) return undefined;
    const onClick = (event: MouseEvent): void => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link?.origin !== location.origin || !staysHere(event, link)) return;
      if (!leftToParent(new URL(link.href))) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the router hears of it.
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, []);
  return null;
}
