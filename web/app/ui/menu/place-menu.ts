import { PHONE_WIDTH } from '../use-is-phone.ts';

export type Anchor = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const GAP = 6;
const EDGE = 8;

/**
 * Places a menu below its anchor, or above it if that has more room. A menu that is too high for both uses
 * the whole screen and may cover its anchor. On phones CSS places it.
 */
export function placeMenu(panel: HTMLElement, anchor: Anchor): void {
  const { innerWidth: width, innerHeight: height } = window;
  if (width <= PHONE_WIDTH) return;
  const below = height - anchor.bottom - GAP - EDGE;
  const above = anchor.top - GAP - EDGE;
  const needed = panel.offsetHeight;
  const goesUp = needed > below && above > below;
  const isCovering = needed > Math.max(above, below);
  const most = height - 2 * EDGE;
  panel.style.maxHeight = `${isCovering ? most : Math.max(120, goesUp ? above : below)}px`;
  const top = isCovering
    ? height - EDGE - Math.min(needed, most)
    : goesUp
      ? anchor.top - GAP - needed
      : anchor.bottom + GAP;
  const rightToLeft = getComputedStyle(panel).direction === 'rtl';
  const fitsFromStart = rightToLeft
    ? anchor.right - panel.offsetWidth >= EDGE
    : anchor.left + panel.offsetWidth <= width - EDGE;
  const left = fitsFromStart === rightToLeft ? anchor.right - panel.offsetWidth : anchor.left;
  panel.style.top = `${Math.max(EDGE, top)}px`;
  panel.style.left = `${Math.max(EDGE, Math.min(left, width - EDGE - panel.offsetWidth))}px`;
  panel.style.transformOrigin = `${fitsFromStart ? 'left' : 'right'} ${goesUp ? 'bottom' : 'top'}`;
}
