import { type Geometry, lineAt } from './geometry.ts';

const OVERSCAN_PX = 480;

/** Lines on the screen; `last` is exclusive. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

export interface Viewport {
  /** Top of the screen within the list's body; negative above it. */
  readonly top: number;
  readonly height: number;
  /** Scroll offset of the scrolling element. */
  readonly scrolled: number;
}

export function readViewport(
  scroll: 'own' | 'page',
  scroller: HTMLElement | null,
  body: HTMLElement | null,
): Viewport | undefined {
  if (!scroller || !body) return undefined;
  const bodyTop = body.getBoundingClientRect().top;
  if (scroll === 'page') return { top: -bodyTop, height: window.innerHeight, scrolled: window.scrollY };
  // Height covered by the sticky header; other content may be above both.
  const covered = body.offsetTop - (body.parentElement?.offsetTop ?? 0);
  const edge = scroller.getBoundingClientRect().top + covered;
  return { top: edge - bodyTop, height: scroller.clientHeight - covered, scrolled: scroller.scrollTop };
}

export function scrollBy(scroll: 'own' | 'page', scroller: HTMLElement | null, distance: number): void {
  if (distance === 0) return;
  (scroll === 'page' ? window : scroller)?.scrollBy({ top: distance, behavior: 'instant' });
}

/** Returns the lines on the screen and some around them. */
export function linesAt(geometry: Geometry | undefined, top: number, height: number): Lines {
  const at = (y: number): number => (geometry ? lineAt(geometry, y) : y / 44);
  return {
    first: Math.max(0, Math.floor(at(top - OVERSCAN_PX))),
    last: Math.max(0, Math.ceil(at(top + height + OVERSCAN_PX))),
  };
}
