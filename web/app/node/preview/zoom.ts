/** Scale of a picture, and the distance of its center from the stage's center, in px. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const FITTED: View = { scale: 1, x: 0, y: 0 };
const MOST = 12;

/** Zooms by a factor and keeps the point under the pointer in place. */
export function zoomedAt(
  view: View,
  factor: number,
  point: { readonly x: number; readonly y: number },
): View {
  const scale = Math.min(MOST, Math.max(1, view.scale * factor));
  if (scale === 1) return FITTED;
  const grown = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown };
}

/** Moves a picture, but never so far that none of it is at the center. */
export function movedBy(
  view: View,
  dx: number,
  dy: number,
  box: { readonly width: number; readonly height: number },
): View {
  const within = (offset: number, side: number) => {
    const most = (side * view.scale) / 2;
    return Math.max(-most, Math.min(most, offset));
  };
  return { ...view, x: within(view.x + dx, box.width), y: within(view.y + dy, box.height) };
}
