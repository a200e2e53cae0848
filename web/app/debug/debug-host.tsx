import { lazy, Suspense, useEffect, useState } from 'react';
import { clickBurst } from './click-burst.ts';
import { mayDebug } from './may-debug.ts';

const CLICKS = 5;
const WITHIN_MS = 200;

const DebugConsole = lazy(() => import('./debug-console.tsx'));

/** Opens the debug console after five quick clicks, if the operator allows it for the viewer. */
export function DebugHost() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const isBurst = clickBurst(CLICKS, WITHIN_MS);
    const onClick = ({ timeStamp }: MouseEvent): void => {
      if (isBurst(timeStamp) && window.parent === window)
        void mayDebug().then((may) => may && setIsOpen(true));
    };
    // Captures the click before anything on the page can stop it.
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <DebugConsole onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}
