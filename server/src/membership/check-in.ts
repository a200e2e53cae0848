const DAY_MS = 24 * 3600 * 1000;

/** UTC day of a time, as in 2026-11-28. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function dayAfter(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

/** Number of consecutive days, newest first, up to today, or up to yesterday since today is not over. */
export function streakOf(days: readonly string[], today: string): number {
  const [newest] = days;
  if (newest === undefined || (newest !== today && newest !== dayAfter(today, -1))) return 0;
  const gap = days.findIndex((day, at) => day !== dayAfter(newest, -at));
  return gap === -1 ? days.length : gap;
}
