import { useCallback, useMemo, useState } from 'react';
import type { File } from '@bowerbird/contract';
import { browserTimeZone, useFormat } from '#app/i18n/format.ts';
import { useIsBrowser, usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { factOf } from './recent-data.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Returns the day of each file in the reader's time zone, with its name, for the headings of the list. */
export function useDays(): (file: File) => { id: string; label: string } | undefined {
  const t = useT();
  const format = useFormat();
  const frame = usePageFrame();
  const isBrowser = useIsBrowser();
  const timeZone = isBrowser ? browserTimeZone() : frame.timeZone;
  const [opened] = useState(() => Date.now());
  const now = isBrowser ? opened : frame.now;
  const today = useMemo(() => {
    const calendar = calendarOf(timeZone);
    return { calendar, id: calendar.format(now), before: calendar.format(now - DAY_MS) };
  }, [timeZone, now]);
  const nameOf = useMemo(
    () => (isBrowser ? dayNames(frame.locale, timeZone) : undefined),
    [isBrowser, frame.locale, timeZone],
  );
  return useCallback(
    (file) => {
      const at = Date.parse(factOf(file)?.time ?? '');
      if (Number.isNaN(at)) return undefined;
      const id = today.calendar.format(at);
      if (id === today.id) return { id, label: t('drive.recent.today') };
      if (id === today.before) return { id, label: t('drive.recent.yesterday') };
      // Server and browser may know different patterns of a language.
      return { id, label: nameOf?.(at, today.id) ?? format.date(new Date(at).toISOString()) };
    },
    [today, t, nameOf, format],
  );
}

/** Formats "2026-11-30": the same text for all times of a day. */
const calendarOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });

/** Formats "Saturday, November 28", with the year unless it's this one. */
function dayNames(locale: string, timeZone: string): (at: number, today: string) => string {
  const day = { timeZone, weekday: 'long', month: 'long', day: 'numeric' } as const;
  const ofThisYear = new Intl.DateTimeFormat(locale, day);
  const ofOthers = new Intl.DateTimeFormat(locale, { ...day, year: 'numeric' });
  const years = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric' });
  return (at, today) => {
    const name = (today.startsWith(years.format(at)) ? ofThisYear : ofOthers).format(at);
    return `${name.slice(0, 1).toLocaleUpperCase(locale)}${name.slice(1)}`;
  };
}
