import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FITTED, movedBy, type View, zoomedAt } from './zoom.ts';

const view: fc.Arbitrary<View> = fc.record({
  scale: fc.double({ min: 1, max: 12, noNaN: true }),
  x: fc.integer({ min: -900, max: 900 }),
  y: fc.integer({ min: -900, max: 900 }),
});
const coordinate = fc.integer({ min: -500, max: 500 });

it('zooming keeps the point under the pointer in place', () => {
  fc.assert(
    fc.property(
      view,
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      coordinate,
      coordinate,
      (view, factor, x, y) => {
        const next = zoomedAt(view, factor, { x, y });
        if (next === FITTED) return;
        // The point of the picture under (x, y), in its own px, before and after.
        expect((x - next.x) / next.scale).toBeCloseTo((x - view.x) / view.scale, 6);
      },
    ),
  );
});

it('a picture never becomes smaller than fitted or leaves the view', () => {
  expect(zoomedAt({ scale: 2, x: 90, y: 9 }, 0.1, { x: 0, y: 0 })).toEqual(FITTED);
  expect(zoomedAt(FITTED, 1000, { x: 0, y: 0 }).scale).toBe(12);
  expect(movedBy({ scale: 2, x: 0, y: 0 }, 9999, -9999, { width: 100, height: 50 })).toEqual({
    scale: 2,
    x: 100,
    y: -50,
  });
});
