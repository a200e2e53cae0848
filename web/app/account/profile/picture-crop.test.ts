import { expect, test } from 'vitest';
import { kept, moved, scaleOf, wholeOf } from './picture-crop.ts';

const WIDE = { width: 800, height: 400 };

test('the initial crop is the largest square in the middle', () => {
  expect(wholeOf(WIDE)).toEqual({ x: 400, y: 200, zoom: 1 });
  expect(scaleOf(WIDE, wholeOf(WIDE), 200)).toBe(0.5);
});

test('the crop always stays inside the picture, however it is moved and zoomed', () => {
  expect(moved(WIDE, wholeOf(WIDE), { x: 10_000, y: 10_000 }, 200)).toEqual({ x: 200, y: 200, zoom: 1 });
  expect(moved(WIDE, wholeOf(WIDE), { x: -10_000, y: 0 }, 200)).toEqual({ x: 600, y: 200, zoom: 1 });
  expect(kept(WIDE, { x: 0, y: 0, zoom: 99 })).toEqual({ x: 50, y: 50, zoom: 4 });
  expect(kept(WIDE, { x: 50, y: 50, zoom: 0 })).toEqual({ x: 200, y: 200, zoom: 1 });
});

test('dragging by ten pixels moves the picture by ten pixels', () => {
  const crop = kept(WIDE, { x: 400, y: 200, zoom: 2 });
  expect(moved(WIDE, crop, { x: 10, y: -10 }, 200)).toEqual({ x: 390, y: 210, zoom: 2 });
});
