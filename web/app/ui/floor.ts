import { useLayoutEffect, type RefObject } from 'react';

/** What lies along the bottom of the window, so that what floats there rises above it: `var(--bar)`, `var(--tray)`. */
export type FloorPart = '--bar' | '--tray';

/** How much of the window's bottom is covered. */
export function floorHeight(): number {
  const style = getComputedStyle(document.documentElement);
  return (['--bar', '--tray'] as const).reduce(
    (sum, part) => sum + (parseFloat(style.getPropertyValue(part)) || 0),
    0,
  );
}

/** Says in `part` how high an element is while it is there, its distance to the bottom included. */
export function useFloor(part: FloorPart, box: RefObject<HTMLElement | null>, isThere: boolean): void {
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
