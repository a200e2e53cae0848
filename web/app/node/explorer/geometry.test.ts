import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Box,
  geometryOf,
  GRID_GAP,
  gridGeometry,
  HEADING,
  lineAt,
  lineStep,
  lineTop,
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

it('a line below headings is found again at its own height, and the rows on the screen stay there', () => {
  const headings = [0, 3, 4, 60];
  const list = geometryOf('list', 900, 44, headings);
  expect(lineTop(list, 0)).toBe(HEADING);
  expect(lineTop(list, 3)).toBe(3 * 44 + 2 * HEADING);
  expect(lineTop(list, 59)).toBe(59 * 44 + 3 * HEADING);
  for (let line = 0; line < 200; line += 1) {
    expect(lineAt(list, lineTop(list, line))).toBe(line);
    expect(Math.floor(lineAt(list, lineTop(list, line) + 43))).toBe(line);
  }
  // A heading belongs to its line.
  expect(lineAt(list, 3 * 44 + HEADING + 1)).toBe(3);
  expect(
    rowsTouching({ left: 0, right: 9, top: lineTop(list, 2) + 5, bottom: lineTop(list, 4) + 5 }, 100, list),
  ).toEqual([2, 3, 4]);
  const longer = geometryOf('list', 900, 44, [...headings, 90]);
  expect(reanchored(lineTop(list, 50) + 7, list, longer)).toBeCloseTo(lineTop(list, 50) + 7);
  expect(reanchored(lineTop(list, 50) + 22, list, geometryOf('list', 900, 64, headings))).toBeCloseTo(
    lineTop(geometryOf('list', 900, 64, headings), 50) + 32,
  );
});
