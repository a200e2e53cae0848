import { PHONE_WIDTH } from '../use-is-phone.ts';

export type Anchor = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const GAP = 6;
const EDGE = 8;

/**
 * Places a menu below its anchor, or above it if that has more room, always on the screen. On phones CSS places
 * it.
 */
export function placeMenu(panel: HTMLElement, anchor: Anchor): void {
  const { innerWidth: width, innerHeight: height } = window;
  if (width <= PHONE_WIDTH) return;
  const below = height - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const needed = panel.offsetHeight;
  const goesUp = needed > below && above > below;
  panel.style.maxHeight = `${Math.max(120, goesUp ? above : below)}px`;
  const top = goesUp ? anchor.top - GAP - Math.min(needed, above) : anchor.bottom + GAP;
  const rightToLeft = getComputedStyle(panel).direction === 'rtl';
  const fitsFromStart = rightToLeft
    ? anchor.right - panel.offsetWidth >= EDGE
    : anchor.left + panel.offsetWidth <= width - EDGE;
  const left = fitsFromStart === rightToLeft ? anchor.right - panel.offsetWidth : anchor.left;
  panel.style.top = `${Math.max(EDGE, top)}px`;
  panel.style.left = `${Math.max(EDGE, Math.min(left, width - EDGE - panel.offsetWidth))}px`;
  panel.style.transformOrigin = `${fitsFromStart ? 'left' : 'right'} ${goesUp ? 'bottom' : 'top'}`;
}
