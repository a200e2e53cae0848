/** 1 January of year 1 and the last millisecond of year 9999: the range that every common RFC 3339 parser accepts. */
const FIRST = -62_135_596_800_000;
const LAST = 253_402_300_799_999;

/** Years with more than four digits, which some programs write with or without a sign, are accepted. */
const DATE = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4,6}|[+-]\d{6})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s*([Zz]|[+-]\d\d:?\d\d)?$/;
const MAIL_DATE =
  /^(?:[a-z]+\s*,?\s*)?(\d{1,2})[\s-]+([a-z]{3,9})[\s-]+(\d{2,6})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*([a-z]{1,4}|[+-]\d\d:?\d\d)?$/i;
const ASCTIME =
  /^[a-z]{3,9}\s+([a-z]{3,9})\s+(\d{1,2})\s+(\d\d):(\d\d):(\d\d)(?:\s+([a-z]{1,4}))?\s+(\d{4,6})$/i;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ZONES: Readonly<Record<string, number>> = {
  '': 0,
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};
const MINUTE_MS = 60_000;

interface Written {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  readonly zone?: string | undefined;
}

/** Milliseconds since 1970 for a calendar date; undefined for days, hours and time zones that don't exist. */
export function timeOf({
  year,
  month,
  day,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
  zone = '',
}: Written): number | undefined {
  const offset = offsetOf(zone);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // A leap second is treated as the first second of the next minute.
  if (!exists || offset === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  date.setUTCHours(hour, minute, second, millisecond);
  return bounded(date.getTime() - offset * MINUTE_MS);
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign === undefined) {
    const hour = Object.hasOwn(ZONES, zone.toLowerCase()) ? ZONES[zone.toLowerCase()] : undefined;
    return hour === undefined ? undefined : hour * 60;
  }
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const bounded = (time: number): number =>
  time < FIRST ? Number.NEGATIVE_INFINITY : time > LAST ? Number.POSITIVE_INFINITY : time;

const monthOf = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
/** Two-digit years as email defines them. */
const yearOf = (text = ''): number =>
  text.length > 2 ? Number(text) : Number(text) + (Number(text) < 50 ? 2000 : 1900);

/**
 * Parses a date as programs write it: RFC 3339 and its variants in JSON, the formats of HTTP and email in headers and
 * feeds. UTC if no time zone is given. Returns milliseconds since 1970; ±Infinity outside the years 1 to 9999;
 * undefined for invalid dates, including 31 February.
 */
export function readTime(text: string): number | undefined {
  const source = text.trim().replace(/\s*\([^()]*\)$/, '');
  const iso = DATE_TIME.exec(source) ?? DATE.exec(source);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction = '', zone] = iso;
    return timeOf({
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour ?? 0),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
      millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
      zone,
    });
  }
  const mail = MAIL_DATE.exec(source);
  if (mail) {
    const [, day, month, year, hour, minute, second = '0', zone] = mail;
    return timeOf({
      year: yearOf(year),
      month: monthOf(month),
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      zone,
    });
  }
  const [, month, day, hour, minute, second, zone, year] = ASCTIME.exec(source) ?? [];
  return month === undefined
    ? undefined
    : timeOf({
        year: Number(year),
        month: monthOf(month),
        day: Number(day),
        hour: Number(hour),
        minute: Number(minute),
        second: Number(second),
        zone,
      });
}

/**
 * Parses seconds since 1970, with or without a fraction, as clients send a file's time in headers. Returns the same as
 * {@link readTime}.
 */
export function readSeconds(text: string): number | undefined {
  const source = text.trim();
  return /^[+-]?\d{1,20}(?:\.\d{1,20})?$/.test(source)
    ? bounded(Math.round(Number(source) * 1000))
    : undefined;
}

/** Returns the time if a file can have it: whole milliseconds in the years 1 to 9999; otherwise undefined. */
export function fileTime(time: number | undefined): number | undefined {
  return time !== undefined && Number.isFinite(bounded(time)) ? Math.trunc(time) : undefined;
}

/** Parses a file's date as clients send it in headers and properties: seconds since 1970, or a date. */
export function readFileTime(text: string): number | undefined {
  return fileTime(readSeconds(text) ?? readTime(text));
}

/** The nearest time whose year has four digits. */
export function writableTime(time: number): number {
  return Math.min(Math.max(time, FIRST), LAST);
}
