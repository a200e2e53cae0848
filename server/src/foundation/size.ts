import { sizeUnits, type Locale } from '@bowerbird/contract';

const UNITS = sizeUnits('en-US');

/**
 * Parses sizes such as `10 GB` or `1048576`; units step by 1024. Throws an explanation of the valid format.
 */
export function readSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGTP]?B|)$/i.exec(text.trim());
  if (!match) throw new Error('must be a size such as 10 GB');
  const unit = UNITS.findIndex((name) => name === (match[2]!.toUpperCase() || 'B'));
  return Math.round(Number(match[1]) * 1024 ** unit);
}

/** `10 GB`, for the command line, and `10 ГБ` in a Russian email. */
export function sizeText(bytes: number, locale: Locale = 'en-US'): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const number = (bytes / 1024 ** unit).toLocaleString(locale, {
    maximumFractionDigits: 1,
    useGrouping: false,
  });
  return `${number} ${sizeUnits(locale)[unit]}`;
}
