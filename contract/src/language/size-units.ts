import type { Locale } from './locales.ts';

const LATIN = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const CYRILLIC = ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ', 'ПБ'] as const;

/** Units of size in each language, in steps of 1024. */
export const sizeUnits = (locale: Locale): readonly string[] =>
  locale === 'ru' || locale === 'uk' ? CYRILLIC : LATIN;
