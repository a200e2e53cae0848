import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { readCookie, writeCookie } from '#app/browser/cookies.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { ACCESS_COOKIE, ACCESS_SECONDS } from './access-cookie.ts';

const BlockedPage = lazy(() => import('./blocked-page.tsx'));
const BLOCKED_KEY = 'pp_ip_block';

/** Shows its content where the service is available; elsewhere, a page that explains why not. */
export function AreaGate({ isOffered, children }: { isOffered: boolean; children: ReactNode }) {
  const { origins } = usePageFrame();
  const [isOpen, setOpen] = useState(isOffered);
  const [isAsking, setAsking] = useState(false);

  const letIn = (): void => {
    writeCookie(ACCESS_COOKIE, '1', { maxAge: ACCESS_SECONDS, sameSite: 'lax' });
    localStorage.removeItem(BLOCKED_KEY);
    setOpen(true);
  };
  const ask = async (anew: boolean): Promise<void> => {
    setAsking(true);
    const { offeredHere } = await import('./area.ts');
    const answer = await offeredHere(origins.length === 0 ? [''] : origins, { anew });
    if (answer === 'yes') letIn();
    else if (answer === 'no') localStorage.setItem(BLOCKED_KEY, '1');
    // Visitors are not locked out if no region can be asked. The result isn't stored: a request also fails
    // when the visitor leaves the page.
    else setOpen(true);
    setAsking(false);
  };
  // The server that rendered the page answered for its own region; the browser asks the others.
  const arrive = useEffectEvent(() => {
    if (!isOffered) void ask(false);
    else if (readCookie(ACCESS_COOKIE) === undefined) letIn();
  });
  useEffect(() => arrive(), [isOffered]);

  if (isOpen) return children;
  return (
    <Suspense>
      <BlockedPage isAsking={isAsking} onAsk={() => void ask(true)} />
    </Suspense>
  );
}
