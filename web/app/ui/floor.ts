import { useLayoutEffect, type RefObject } from 'react';

/** What lies along the bottom of the window, so that what floats there rises above it: `var(--bar)`, `var(--tray)`. */
export type FloorPart = '--bar' | '--tray';

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
