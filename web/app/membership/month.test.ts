import { expect, test } from 'vitest';
import { calendarOf, comingRewards, monthAfter } from './month.ts';

test('a month has each of its days once, under the right weekday', () => {
  for (const [month, count] of [
    ['2026-02', 28],
    ['2028-02', 29],
    ['2026-11', 30],
    ['2026-12', 31],
  ] as const)
    for (const locale of ['en-US', 'ru'] as const) {
      const { weeks, firstDay } = calendarOf(month, locale);
      expect(firstDay).toBe(locale === 'ru' ? 1 : 0);
      expect(weeks.flat().filter((day) => day !== undefined)).toHaveLength(count);
      for (const week of weeks)
        for (const [at, day] of week.entries())
          if (day !== undefined) expect(new Date(day).getUTCDay()).toBe((at + firstDay) % 7);
    }
});

test('the month after December is January', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01');
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
});

test('rewards come on the days on which the streak reaches them', () => {
  const rewards = [
    { streak: 1, days: 1 },
    { streak: 3, days: 2 },
    { streak: 7, days: 5 },
  ];
  const coming = (today: string, streak: number, isIn: boolean) => [
    ...comingRewards(rewards, { today, streak, checked_in: isIn }),
  ];
  expect(coming('2028-02-28', 0, false)).toEqual([
    ['2028-02-28', 1],
    ['2028-03-01', 2],
    ['2028-03-05', 5],
  ]);
  expect(coming('2028-02-28', 3, true)).toEqual([['2028-03-03', 5]]);
  expect(coming('2028-02-28', 2, false)).toEqual([
    ['2028-02-28', 2],
    ['2028-03-03', 5],
  ]);
  expect(coming('2028-02-28', 9, true)).toEqual([]);
});
