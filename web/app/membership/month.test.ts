import { expect, test } from 'vitest';
import { calendarOf, monthAfter } from './month.ts';

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
