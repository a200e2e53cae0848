/**
 * Visible part of a picture: its center in the picture's own pixels, and the zoom relative to the smallest
 * size that fills the square.
 */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export const MOST_ZOOM = 4;

export const wholeOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Length of one picture pixel in pixels of a square of `side`. */
export const scaleOf = ({ width, height }: Size, { zoom }: Crop, side: number): number =>
  (side / Math.min(width, height)) * zoom;

/** Limits the crop so that the picture fills the whole square. */
export function kept(size: Size, { x, y, zoom: asked }: Crop): Crop {
  const zoom = Math.min(MOST_ZOOM, Math.max(1, asked));
  const half = Math.min(size.width, size.height) / zoom / 2;
  const within = (at: number, length: number): number => Math.min(length - half, Math.max(half, at));
  return { x: within(x, size.width), y: within(y, size.height), zoom };
}

/** Moves the crop by pixels of a square of `side`. */
export function moved(size: Size, crop: Crop, by: { x: number; y: number }, side: number): Crop {
  const scale = scaleOf(size, crop, side);
  return kept(size, { ...crop, x: crop.x - by.x / scale, y: crop.y - by.y / scale });
}
