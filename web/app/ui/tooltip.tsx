import { cloneElement, lazy, Suspense, useEffect, useState, type ReactElement } from 'react';

const Layer = lazy(() => import('./tooltip-layer.tsx'));

/** Gives an element a tooltip: the same words as its name, or a little more. One layer in the root shows them all. */
export function Tooltip({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string;
  children: ReactElement;
}) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tip': text,
    'data-tip-key': shortcut,
  });
}

/** The layer of all tooltips, in the root; loaded when the page is at rest. */
export function TooltipLayer() {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady ? (
    <Suspense>
      <Layer />
    </Suspense>
  ) : null;
}
