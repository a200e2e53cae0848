import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Box,
  geometryOf,
  GRID_GAP,
  gridGeometry,
  lineStep,
  reanchored,
  rowsTouching,
} from './geometry.ts';

it('fills the width with columns no narrower than the minimum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 240, max: 4000 }), (width) => {
      const { columns, width: each } = gridGeometry(width);
      expect(columns * each + (columns - 1) * GRID_GAP).toBeCloseTo(width);
      expect(columns).toBeGreaterThanOrEqual(2);
    }),
  );
  expect(gridGeometry(328).columns).toBe(2);
});

it('a marquee selects exactly the entries it touches', () => {
  const side = fc.integer({ min: -50, max: 3000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 300, max: 1500 }),
      fc.nat({ max: 120 }),
      side,
      side,
      side,
      side,
      (width, count, a, b, c, d) => {
        const geometry = geometryOf('grid', width, 44);
        const box: Box = {
          left: Math.min(a, b),
          right: Math.max(a, b),
          top: Math.min(c, d),
          bottom: Math.max(c, d),
        };
        const touches = (row: number) => {
          const left = (row % geometry.columns) * (geometry.width + geometry.gap);
          const top = Math.floor(row / geometry.columns) * lineStep(geometry);
          return (
            box.right >= left &&
            box.left < left + geometry.width &&
            box.bottom >= top &&
            box.top < top + geometry.height
          );
        };
        expect(rowsTouching(box, count, geometry)).toEqual(
          Array.from({ length: count }, (_, row) => row).filter((row) => touches(row)),
        );
      },
    ),
  );
});

it('the entries at the top stay there when the view becomes wider or changes to a grid', () => {
  const list = geometryOf('list', 900, 44);
  expect(reanchored(120, list, geometryOf('list', 885, 44))).toBeCloseTo(120);
  const grid = geometryOf('grid', 900, 44);
  expect(reanchored(44 * 500, list, grid)).toBe(Math.floor(500 / grid.columns) * lineStep(grid));
  expect(reanchored(-80, list, grid)).toBe(-80);
});
