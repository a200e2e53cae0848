import { expect, test } from 'vitest';
import { nextCharge } from './renewal.ts';

test.each([
  ['2026-11-30T16:00', 1, '2026-12-30T16:00'],
  ['2027-01-31T16:00', 1, '2027-02-28T16:00'],
  ['2028-01-31T16:00', 1, '2028-02-29T16:00'],
  ['2026-12-31T23:59', 2, '2027-02-28T23:59'],
  ['2028-02-29T00:00', 12, '2029-02-28T00:00'],
])('a term that begins at %s for %i months is charged again at %s', (begins, months, next) => {
  expect(nextCharge(Date.parse(`${begins}Z`), months)).toBe(`${next}:00.000Z`);
});
