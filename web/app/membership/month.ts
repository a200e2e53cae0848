import type { Locale } from '@bowerbird/contract';

/** Month in the layout of a wall calendar. */
export interface Calendar {
  /** As in 2026-11. */
  readonly month: string;
  /** Weeks of seven cells; each is a day like 2026-11-28, or undefined if the cell belongs to another month. */
  readonly weeks: readonly (readonly (string | undefined)[])[];
  /** First day of the week: 0 is Sunday. */
  readonly firstDay: 0 | 1;
}

/** Locales whose calendars start with Sunday. Hard-coded, since browsers and servers would disagree. */
const SUNDAY_FIRST: ReadonlySet<Locale> = new Set(['en-US', 'id', 'ja', 'ko', 'pt', 'zh-TW']);

const two = (number: number): string => String(number).padStart(2, '0');

export function calendarOf(month: string, locale: Locale): Calendar {
  const [year, of] = month.split('-').map(Number) as [number, number];
  const count = new Date(Date.UTC(year, of, 0)).getUTCDate();
  const firstDay = SUNDAY_FIRST.has(locale) ? 0 : 1;
  const before = (new Date(Date.UTC(year, of - 1, 1)).getUTCDay() - firstDay + 7) % 7;
  const places = Array.from({ length: Math.ceil((before + count) / 7) * 7 }, (_, at) => {
    const day = at - before + 1;
    return day >= 1 && day <= count ? `${month}-${two(day)}` : undefined;
  });
  const weeks = Array.from({ length: places.length / 7 }, (_, at) => places.slice(at * 7, at * 7 + 7));
  return { month, weeks, firstDay };
}

export function monthAfter(month: string, months: number): string {
  const [year, of] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, of - 1 + months, 1)).toISOString().slice(0, 7);
}
