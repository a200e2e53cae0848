import { useEffect } from 'react';
import { frameMessage } from './frame-message.ts';

/** The page around this one, as the address named it; browsers deliver to no other, and let none but allowed ones be around. */
function originAround(): string | undefined {
  if (window.parent === window) return undefined;
  const named = URL.parse(new URLSearchParams(location.search).get('origin') ?? '');
  return named && /^https?:$/.test(named.protocol) ? named.origin : undefined;
}

/** Inside another page, leaves to that page what links of the drive ask for. */
export function FrameHost(): null {
  useEffect(() => {
    const origin = originAround();
    if (origin === undefined) return undefined;
    const onClick = (event: MouseEvent): void => {
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link?.origin !== location.origin) return;
      const message = frameMessage(new URL(link.href));
      if (!message) return;
      event.preventDefault();
      event.stopPropagation();
      window.parent.postMessage(message, origin);
    };
    // Before the router hears of it.
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, []);
  return null;
}
