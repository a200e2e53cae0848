import { expect, test } from 'vitest';
import { lengthKey, lengthsOf, monthlyAmount, savingOf } from './term-price.ts';

const month = { months: 1, amount: 499 };

test('a saving is compared with the same time in the shortest term, and never rounded up', () => {
  const year = { months: 12, amount: 4990 };
  // 12 × 4.99 = 59.88; 9.98 of it is 16.67 %.
  expect(savingOf(year, [year, month])).toBe(16);
  expect(savingOf(month, [year, month])).toBe(0);
});

test('a longer term that costs as much, or more, saves nothing', () => {
  for (const amount of [5988, 6500]) expect(savingOf({ months: 12, amount }, [month])).toBe(0);
});

test('terms in days are not compared with months', () => {
  const week = { months: 0, amount: 100 };
  expect(savingOf(week, [week, month])).toBe(0);
  expect(savingOf({ months: 12, amount: 10 }, [week, { months: 12, amount: 10 }])).toBe(0);
});

test('a price per month is never shown lower than it is', () => {
  expect(monthlyAmount(4990, 12)).toBe(416);
  expect(monthlyAmount(4800, 12)).toBe(400);
});

test('lengths of several products are listed once, shortest first', () => {
  const terms = (...lengths: [months: number, days: number][]) => ({
    terms: lengths.map(([months, days]) => ({ months, days })),
  });
  expect(lengthsOf([terms([12, 0], [1, 0]), terms([1, 0], [0, 7])]).map(lengthKey)).toEqual([
    '7d',
    '1m',
    '12m',
  ]);
});
