import { formatSize, type Locale } from '@bowerbird/contract';
import { useIsBrowser, usePageFrame, type PageFrameValue } from './page-frame.tsx';

export interface Format {
  /** "4.2 GB": in steps of 1024. Sizes from the API are decimal strings, and can be passed unchanged. */
  bytes(size: number | string): string;
  /** "26-11-24". */
  date(iso: string): string;
  /** "26-11-24 09:12": the product's one date format. */
  dateTime(iso: string): string;
  /** "November 24, 2026", in the language's own format; browser only. */
  fullDate(iso: string): string;
  /** "November 24, 2026 at 9:12 AM GMT+9", in the reader's time zone; browser only. */
  fullDateTime(iso: string): string;
  /** "3 days ago", "in 6 hours". */
  relative(iso: string): string;
  number(n: number): string;
  /** "1:02:03" or "4:05", from seconds. */
  duration(seconds: number): string;
  /** "34 %", from a fraction of 1. */
  percent(part: number): string;
}

export const formatBytes = formatSize;

/** Date without a time, as in the metadata of texts. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Formats by calendar numbers instead of a locale's pattern, since server and browser may know different
 * patterns. A date without a time is the same in every time zone.
 */
export function formatDateTime(iso: string, timeZone: string, withTime: boolean): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '—';
  const zone = DAY.test(iso) ? 'UTC' : timeZone;
  const second = Math.floor(at / 1000);
  if (timeTexts.size >= TIMES_KEPT) timeTexts.clear();
  const text = once(timeTexts, `${zone} ${second}`, () => timeText(second * 1000, zone));
  return withTime ? text : text.slice(0, 'yy-mm-dd'.length);
}

/** A list shows each of its times twice, for wide and narrow screens, and the times of many files are the same. */
const timeTexts = new Map<string, string>();
const TIMES_KEPT = 2000;

function timeText(at: number, timeZone: string): string {
  const part = Object.fromEntries(
    calendar(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${part['year']?.slice(-2)}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']}`;
}

/**
 * Formats a full date in the language's own format, with the time and its zone unless only the day is
 * requested.
 */
export function formatFullDate(locale: Locale, iso: string, timeZone: string, withTime: boolean): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '—';
  const isDay = DAY.test(iso);
  return fullDates(locale, isDay ? 'UTC' : timeZone, withTime && !isDay).format(at);
}

const PAST = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Units of future times, each with the count from which the next larger unit is used instead, at two of it: "in 7
 * days", "in 24 hours".
 */
const TO_COME = [
  ['minute', 60, 120],
  ['hour', 3600, 48],
  ['day', 86_400, 60],
  ['month', 30 * 86_400, 24],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
] as const;

/**
 * Formats whole units: for the past those that are complete, for the future the nearest, so that "7 days"
 * doesn't become "6" at once.
 */
export function formatRelative(locale: Locale, iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '—';
  const seconds = (at - now) / 1000;
  if (seconds > 0)
    for (const [unit, span, end] of TO_COME) {
      const count = Math.round(seconds / span);
      // "Tomorrow" and "next month" refer to calendar days, which a number of hours can't express.
      if (count > 0 && count < end) return relative(locale, 'always').format(count, unit);
    }
  const words = relative(locale, 'auto');
  for (const [unit, span] of PAST)
    if (-seconds >= span) return words.format(Math.trunc(seconds / span), unit);
  return words.format(0, 'second');
}

const relative = (locale: Locale, numeric: 'always' | 'auto'): Intl.RelativeTimeFormat =>
  once(relatives, `${locale} ${numeric}`, () => new Intl.RelativeTimeFormat(locale, { numeric }));

export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Requests the time zone and the current time only when needed: many pages show neither. */
export function createFormat(locale: Locale, timeZone: () => string, now: () => number): Format {
  return {
    bytes: (size) => formatBytes(locale, Number(size)),
    date: (iso) => formatDateTime(iso, timeZone(), false),
    dateTime: (iso) => formatDateTime(iso, timeZone(), true),
    fullDate: (iso) => formatFullDate(locale, iso, timeZone(), false),
    fullDateTime: (iso) => formatFullDate(locale, iso, timeZone(), true),
    relative: (iso) => formatRelative(locale, iso, now()),
    number: (n) => numbers(locale, 3).format(n),
    duration: formatDuration,
    percent: (part) =>
      once(
        percents,
        locale,
        () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
      ).format(part),
  };
}

/** Formats of the first render, and of later ones: one for all components. */
const firstFormats = new WeakMap<PageFrameValue, Format>();
const browserFormats = new Map<Locale, Format>();

/** The first render matches the server's; later ones use the reader's own time zone and clock. */
export function useFormat(): Format {
  const frame = usePageFrame();
  const { locale, timeZone, now } = frame;
  if (useIsBrowser())
    return once(browserFormats, locale, () => createFormat(locale, browserTimeZone, Date.now));
  return once(firstFormats, frame, () =>
    createFormat(
      locale,
      () => timeZone,
      () => now,
    ),
  );
}

let ownTimeZone: string | undefined;

/**
 * IANA name of the reader's time zone; browser only. Cached, since the first lookup takes some milliseconds.
 */
export const browserTimeZone = (): string =>
  (ownTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

const numberFormats = new Map<string, Intl.NumberFormat>();
const calendars = new Map<string, Intl.DateTimeFormat>();
const fullCalendars = new Map<string, Intl.DateTimeFormat>();
const relatives = new Map<string, Intl.RelativeTimeFormat>();
const percents = new Map<string, Intl.NumberFormat>();

function once<K extends WeakKey | string, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = make()));
  return found;
}

const numbers = (locale: string, digits: number): Intl.NumberFormat =>
  once(
    numberFormats,
    `${locale} ${digits}`,
    () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }),
  );

const calendar = (timeZone: string): Intl.DateTimeFormat =>
  once(
    calendars,
    timeZone,
    () =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
  );

const fullDates = (locale: Locale, timeZone: string, withTime: boolean): Intl.DateTimeFormat =>
  once(
    fullCalendars,
    `${locale} ${timeZone} ${withTime}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        timeZone,
        year: 'numeric',
        month: 'long',
        day: 'numeric',
        ...(withTime ? { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } : {}),
      }),
  );

/** Returns the time zone in a cookie, in the platform's spelling; undefined if the platform doesn't know it. */
export function knownTimeZone(name: string | undefined): string | undefined {
  if (!name || name.length > 64) return undefined;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
