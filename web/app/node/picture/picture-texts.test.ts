import { expect, test } from 'vitest';
import { exposureTime, mapAddress } from './picture-texts.ts';

test('short exposures are fractions, long ones seconds', () => {
  expect([1 / 8000, 0.004, 1 / 60, 0.25, 0.5, 30].map((time) => exposureTime(time, String))).toEqual([
    '1/8000',
    '1/250',
    '1/60',
    '1/4',
    '0.5',
    '30',
  ]);
});

test('a map shows the place', () => {
  expect(mapAddress(-33.85678, 151.21529)).toBe(
    'https://www.openstreetmap.org/?mlat=-33.85678&mlon=151.21529#map=15/-33.85678/151.21529',
  );
});
