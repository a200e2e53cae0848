import type { Locale } from './locales.ts';

const LATIN = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const CYRILLIC = ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ', 'ПБ'] as const;

/** Units of size in each language, in steps of 1024. */
export const sizeUnits = (locale: Locale): readonly string[] =>
  locale === 'ru' || locale === 'uk' ? CYRILLIC : LATIN;

const formats = new Map<string, Intl.NumberFormat>();

function numbers(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, { maximumFractionDigits: digits })));
  return format;
}

/** "4.2 GB": bytes in steps of 1024, with two or three significant digits. */
export function formatSize(locale: Locale, size: number): string {
  if (!Number.isFinite(size) || size < 0) return '—';
  const units = sizeUnits(locale);
  let step = 0;
  let value = size;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  // 1023.96 would round to "1,024 MB".
  if (Number(value.toFixed(digits)) >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${numbers(locale, digits).format(value)} ${units[step]}`;
}
