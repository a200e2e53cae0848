import { lazy, Suspense, useEffect, useState } from 'react';

const Layer = lazy(() => import('./tooltip-layer.tsx'));

/**
 * Layer in the root that shows the tooltips of all elements with `data-tip`; loaded once the page has rendered.
 */
export function TooltipLayer() {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady ? (
    <Suspense>
      <Layer />
    </Suspense>
  ) : null;
}
