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

/** First day of the week, 0 for Sunday and 1 for Monday. Hard-coded, since browsers and servers would disagree. */
const FIRST_DAY: Readonly<Record<Locale, 0 | 1>> = {
  'en-US': 0,
  es: 1,
  id: 0,
  ja: 0,
  ko: 0,
  ms: 1,
  pt: 0,
  ru: 1,
  uk: 1,
  'zh-CN': 1,
  'zh-TW': 0,
};

const two = (number: number): string => String(number).padStart(2, '0');

export function calendarOf(month: string, locale: Locale): Calendar {
  const [year, of] = month.split('-').map(Number) as [number, number];
  const count = new Date(Date.UTC(year, of, 0)).getUTCDate();
  const firstDay = FIRST_DAY[locale];
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

/** Days by the date on which a streak that isn't interrupted gets them. `streak` is up to today, or up to yesterday. */
export function comingRewards(
  rewards: readonly { readonly streak: number; readonly days: number }[],
  { today, streak, checked_in: isIn }: { today: string; streak: number; checked_in: boolean },
): Map<string, number> {
  const next = isIn ? streak : streak + 1;
  return new Map(
    rewards
      .filter((reward) => reward.streak > streak)
      .map((reward) => [dayAfter(today, reward.streak - next), reward.days]),
  );
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
