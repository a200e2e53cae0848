import { SEARCH_PERIOD, type FileCategory, type SearchFilters } from '@bowerbird/contract';
import type { Format } from '#app/i18n/format.ts';
import type { T } from '#app/i18n/t.ts';

/** Changes of filters; `undefined` removes one. */
export type FilterChanges = { readonly [Filter in keyof SearchFilters]?: SearchFilters[Filter] | undefined };

/** Returns filters with changes; empty lists are removed. */
export function changedFilters(filters: SearchFilters, changes: FilterChanges): SearchFilters {
  const all = Object.entries({ ...filters, ...changes });
  const kept = all.filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as SearchFilters;
}

/** Adds a value to a list, or removes it. */
export function toggled<Value>(list: readonly Value[] | undefined, value: Value): Value[] {
  const others = (list ?? []).filter((one) => one !== value);
  return others.length === (list ?? []).length ? [...others, value] : others;
}

export const kindName = (t: T, category: FileCategory): string => t(`search.kind.${category}`);

/** "Videos, PDFs"; undefined without such a filter. */
export function typesText(t: T, { types }: SearchFilters): string | undefined {
  return types?.map((category) => kindName(t, category)).join(', ');
}

/** "Larger than 1 GB", "1 MB – 2 MB". */
export function sizeText(t: T, format: Format, { minSize, maxSize }: SearchFilters): string | undefined {
  if (minSize !== undefined && maxSize !== undefined)
    return `${format.bytes(minSize)} – ${format.bytes(maxSize)}`;
  if (minSize !== undefined) return t('search.size.over', { size: format.bytes(minSize) });
  return maxSize === undefined ? undefined : t('search.size.under', { size: format.bytes(maxSize) });
}

const DAYS: Readonly<Record<string, number>> = { today: 1, week: 7, month: 30, year: 365 };

/** Number of days of a period such as `7d` or `week`, today included. */
export function daysOf(period: string): number | undefined {
  if (!SEARCH_PERIOD.test(period)) return undefined;
  return DAYS[period] ?? Number.parseInt(period, 10);
}

const DAY_MS = 24 * 3600 * 1000;

/** Returns the day, such as `2026-01-31`, some days after another one. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** "Last 7 days", "Since 26-01-31". */
export function modifiedText(
  t: T,
  format: Format,
  { modified, after, before }: SearchFilters,
): string | undefined {
  const days = modified === undefined ? undefined : daysOf(modified);
  const texts = [
    days === undefined
      ? undefined
      : days === 1
        ? t('search.modified.today')
        : t('search.modified.days', { count: days }),
    after === undefined ? undefined : t('search.modified.after', { date: format.date(after) }),
    before === undefined ? undefined : t('search.modified.before', { date: format.date(before) }),
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(', ');
}
