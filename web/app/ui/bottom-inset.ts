import { useLayoutEffect, type RefObject } from 'react';

/**
 * Elements along the bottom of the window, so that floating elements are above them: `var(--bar)`, `var(--tray)`.
 */
export type BottomInsetPart = '--bar' | '--tray';

/** Returns the height of the covered part at the bottom of the window. */
export function bottomInset(): number {
  const style = getComputedStyle(document.documentElement);
  return (['--bar', '--tray'] as const).reduce(
    (sum, part) => sum + (parseFloat(style.getPropertyValue(part)) || 0),
    0,
  );
}

/** Publishes in `part` the height of an element while it is mounted, including its distance to the bottom. */
export function useBottomInset(
  part: BottomInsetPart,
  box: RefObject<HTMLElement | null>,
  isThere: boolean,
): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!isThere || !element) return undefined;
    const root = document.documentElement;
    const tell = (): void => root.style.setProperty(part, `${element.offsetHeight}px`);
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(part);
    };
  }, [part, box, isThere]);
}
